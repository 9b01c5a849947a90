import type { Settlement } from "../../protocol/index.ts";
import type { Attempt, Extension } from "../model/state.ts";
import type { Said } from "./said.ts";

export const options = {
  label: <T>(resident: T): Said<T> => ["Options, as ", resident, " offered them"],
  /** The page's own way to say no, where the agent offered none. */
  ownNote: <T>(resident: T): Said<T> => [
    resident,
    " offered no way to refuse. This one is the page’s own; some agents end the whole turn on it.",
  ],
  own: "Refuse (cancels the request)",
  ownKind: "not one of the agent’s options",
  unnamed: "unnamed option",
  id: "id ",
  locked: "Read what stands above to its end, and the allowing options open.",
  read: "Read to its end: every option is open.",
  loading: "Allowing opens when the whole request is here and read.",
  unavailable: "Allowing stays locked: the whole request is not here, or cannot be checked.",
  refusingLive: " Refusing is live now.",
  arming: "Just came here: allowing opens in half a second.",
  offline: <T>(resident: T): Said<T> => [
    resident,
    " is offline. A decision made now waits for it, until the time is up.",
  ],
  timeUp: "The time is up. The Room has not said yet how this ended.",
  checking: "Asking the Room how this stands.",
  roomOver: "The Room has ended. Nothing can be answered here any more.",
  gone: "The Room does not know this request any more. Nothing can be answered here.",
  notConnected: "not connected",
  sending: "sending",
  unknown: "not known yet",
  notUsed: "not used",
  offered: "What was offered",
  chosen: "chosen",
  chosenBy: <T>(who: T): Said<T> => ["chosen by ", who],
  once: <T>(resident: T): Said<T> => [
    "Press once more to choose it. ",
    resident,
    ", not the Room, decides what this covers and how long it lasts.",
  ],
  choose: <T>(name: T): Said<T> => ["Choose “", name, "”"],
  back: "Back",
} as const;

/** What became of a press that the Room did not take, on the row that was pressed. */
export function attemptLine<T>(attempt: Attempt, said: T | undefined): Said<T> {
  switch (attempt.state) {
    case "sending":
      return [];
    case "not_sent":
      return ["Not sent: this page had no connection. Press again once it is back."];
    case "unknown":
      return [
        "The connection was cut before the Room answered. Whether this counted is not known yet.",
      ];
    case "not_arrived":
      return ["Your press did not reach the Room. It can be pressed again."];
    case "refused":
      return attempt.code === "rate_limited"
        ? ["Not taken: too much at once. Press again in a moment."]
        : ["Not taken by the Room: ", ...(said === undefined ? [] : [said])];
    case "lost":
      return [];
  }
}

/** What became of asking for more time that the Room did not give. */
export function extensionLine<T>(extension: Extension, said: T | undefined): Said<T> {
  switch (extension.state) {
    case "sending":
      return [];
    case "not_sent":
      return ["No more time was asked for: this page had no connection."];
    case "unknown":
      return [
        "The connection was cut before the Room answered. Whether there is more time is not known yet.",
      ];
    case "refused":
      if (extension.code === "not_extendable") return ["The Room gives this request no more time."];
      return extension.code === "rate_limited"
        ? ["No more time yet: too much at once. Press again in a moment."]
        : ["No more time. The Room says: ", ...(said === undefined ? [] : [said])];
  }
}

/** The answer to a click that came too late: who was first, and with what. */
export function lostLine<T>(settlement: Settlement, earlierMs: number, who: T, option: T): Said<T> {
  const unused = "; your click was not used.";
  const seconds = Math.round(earlierMs / 1000);
  const earlier = seconds >= 1 ? ` ${seconds} s earlier` : " a moment earlier";
  switch (settlement.state) {
    case "decided":
      return [who, " chose “", option, "”", earlier, unused];
    case "dismissed":
      return [who, " dismissed the request", earlier, unused];
    case "expired":
      return ["The time was up", unused];
    case "withdrawn":
      return ["The request had been withdrawn", unused];
  }
}
