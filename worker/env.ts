import type { Room } from "./room/room.ts";

export interface Env {
  ROOMS: DurableObjectNamespace<Room>;
  /** Where the public sees this deployment; `humanUrl` is built from it, else from the request's own origin. */
  PUBLIC_ORIGIN?: string;
  /** Host names that `/api/*` answers to, separated by commas; unset: any. Keeps a rebound DNS name from a local server. */
  ALLOWED_HOSTS?: string;
  /** Where set, only its bearer may create Rooms. */
  ROOM_CREATION_KEY?: string;
}
