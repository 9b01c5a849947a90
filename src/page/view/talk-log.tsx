import type { ComponentChild } from "preact";
import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Message } from "../../protocol/index.ts";
import { stillWaiting } from "../model/talk.ts";
import type { RoomState } from "../model/state.ts";
import { common } from "../text/index.ts";
import { talk as words } from "../text/talk.ts";
import { Icon } from "./icons.tsx";
import { MessageText } from "./message-text.tsx";
import { useRoom } from "./room-context.ts";
import { timeOfDay } from "./time-words.ts";
import { Avatar, Who } from "./who.tsx";

/** How near to its end a log counts as being at it. */
const END_PX = 24;

/** The newest messages, the newest last. Whoever reads further up is left there. */
export function TalkLog() {
  const { state } = useRoom();
  const { messages } = state;
  const log = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const [isBehind, setBehind] = useState(false);
  const toEnd = useCallback(() => {
    const element = log.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  }, []);
  const look = () => {
    const element = log.current;
    if (element === null) return;
    isAtEnd.current = element.scrollHeight - element.clientHeight - element.scrollTop < END_PX;
    if (isAtEnd.current) setBehind(false);
  };
  const newest = messages.at(-1);
  useLayoutEffect(() => {
    if (newest === undefined) return;
    if (isAtEnd.current || newest.from.participantId === state.you?.participantId) toEnd();
    else setBehind(true);
    // Only a message moves the log, and only by coming.
  }, [newest?.messageId]);
  return (
    <div class="talk-box">
      <div
        class="talk-log"
        ref={log}
        role="log"
        tabIndex={0}
        aria-label={words.messages}
        onScroll={look}
      >
        {state.room !== undefined && messages.length === 0 && <p class="hint">{words.none}</p>}
        <ol>
          {messages.map((message) => (
            <li class="msg" key={message.messageId}>
              <OneMessage message={message} onUnfold={look} />
            </li>
          ))}
        </ol>
      </div>
      {isBehind && (
        <button class="btn talk-newest" type="button" onClick={toEnd}>
          <Icon name="down" small />
          {words.newest}
        </button>
      )}
    </div>
  );
}

function OneMessage({ message, onUnfold }: { message: Message; onUnfold: () => void }) {
  const { state } = useRoom();
  const { from, text, at } = message;
  const isYours = from.participantId === state.you?.participantId;
  const waiting = stillWaiting(state, message);
  const name = <Who who={from} />;
  return (
    <>
      <Avatar
        name={from.name}
        look={isYours ? "you" : from.role === "human" ? "person" : "agent"}
      />
      <div>
        <p class="msg-head">
          <strong>{isYours ? common.you<ComponentChild>(name) : name}</strong>
          <span>{addressed(message, state)}</span>
          <time class="num" dateTime={new Date(at).toISOString()}>
            {timeOfDay(at)}
          </time>
        </p>
        <MessageText text={text} onUnfold={onUnfold} />
      </div>
      {waiting > 0 && (
        <p class="msg-note">
          <Icon name="info" small />
          <span>{words.noAnswer(waiting)}</span>
        </p>
      )}
    </>
  );
}

function addressed({ to }: Message, { participants }: RoomState): ComponentChild {
  if (to === undefined) return words.toEveryone;
  const who = participants.find(({ participantId }) => participantId === to);
  return who === undefined
    ? words.toGone
    : [...words.toSomebody<ComponentChild>(<Who key="to" who={who} />)];
}
