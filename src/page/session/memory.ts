/** Why a browser has no token of a Room any more. */
const ENDINGS = ["ended", "removed", "left"] as const;
export type Ending = (typeof ENDINGS)[number];

/** What this browser remembers: a name, and one token for each Room. Where storage is refused, this tab remembers by itself. */
export interface Memory {
  name(): string;
  rememberName(name: string): void;
  token(roomId: string): string | undefined;
  rememberToken(roomId: string, token: string): void;
  forgetToken(roomId: string, why: Ending): void;
  /** Why this tab has left the Room that it was in last; undefined: it has not. */
  ending(): Ending | undefined;
  /** The Room of this tab, else the one that was joined last. */
  currentRoom(): string | undefined;
  rememberRoom(roomId: string): void;
}

const NAME = "handraise.name";
const ROOM = "handraise.room";
const ENDING = "handraise.ending";
const tokenKey = (roomId: string) => `handraise.token.${roomId}`;

export function makeMemory(tab: Keep, device: Keep): Memory {
  return {
    name: () => device.get(NAME) ?? "",
    rememberName: (name) => device.set(NAME, name),
    token: (roomId) => device.get(tokenKey(roomId)),
    rememberToken: (roomId, token) => device.set(tokenKey(roomId), token),
    forgetToken: (roomId, why) => {
      device.remove(tokenKey(roomId));
      tab.set(ENDING, why);
    },
    ending: () => ENDINGS.find((ending) => ending === tab.get(ENDING)),
    currentRoom: () => tab.get(ROOM) ?? device.get(ROOM),
    rememberRoom: (roomId) => {
      tab.remove(ENDING);
      tab.set(ROOM, roomId);
      device.set(ROOM, roomId);
    },
  };
}

export interface Keep {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
  remove(key: string): void;
}

/** A storage that never throws: private windows and full disks refuse it. `open` may throw as well. */
export function makeKeep(open: () => Storage): Keep {
  const own = new Map<string, string>();
  const quietly = <T>(act: (storage: Storage) => T): T | undefined => {
    try {
      return act(open());
    } catch {
      return undefined;
    }
  };
  return {
    get: (key) => own.get(key) ?? quietly((storage) => storage.getItem(key)) ?? undefined,
    set: (key, value) => {
      own.set(key, value);
      quietly((storage) => storage.setItem(key, value));
    },
    remove: (key) => {
      own.delete(key);
      quietly((storage) => storage.removeItem(key));
    },
  };
}
