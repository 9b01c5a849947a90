import { limits } from "../../protocol/index.ts";
import type { Said } from "./said.ts";

export const talk = {
  messages: "Messages",
  none: "No messages yet.",
  newest: "Go to the newest message",
  /** Under a long message. */
  showAll: (lines: number) => `Show all ${lines} lines`,
  showLess: "Show less",
  toEveryone: " to everyone",
  toSomebody: <T>(name: T): Said<T> => [" to ", name],
  toGone: " to somebody who is no longer here",
  write: "Write a message",
  to: "To",
  everyone: "Everyone",
  message: "Message",
  placeholder: "Write a message",
  send: "Send",
  sending: "Sending …",
  /** Under a message that sounds as if it answered a card. */
  noAnswer: (waiting: number) =>
    `Sent as talk. It answered no card: ${waiting} ${waiting === 1 ? "is" : "are"} still waiting.`,
  tooLong: (bytes: number) =>
    `Not sent: it is ${bytes} bytes long, and a message may have ${limits.MESSAGE_BYTES}.`,
  notSent: "Not sent: this page has no connection. Your text is kept.",
  unknown:
    "The connection was cut before the Room answered. Look whether your message is above before you send it again.",
  limited: "Not sent: too many messages at once. Send it again in a moment.",
  gone: "Not sent: whom it was for is no longer in this Room.",
  refused: "Not sent. The Room says: ",
} as const;
