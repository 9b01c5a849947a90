import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { AnswerUnknown, NotSent, RoomRefusal } from "../../client/index.ts";
import { limits, utf8Bytes } from "../../protocol/index.ts";
import { addressees } from "../model/talk.ts";
import { isNameShared, shortId } from "../model/state.ts";
import { talk as words } from "../text/talk.ts";
import { spell } from "../visible-text/runs.ts";
import { VisibleText } from "../visible-text/visible-text.tsx";
import { useRoom } from "./room-context.ts";

const EVERYONE = "";

/** Where a message is written. Enter sends it: in here it can answer nothing. */
export function Composer() {
  const { state, session } = useRoom();
  const [text, setText] = useState("");
  const [to, setTo] = useState(EVERYONE);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<ComponentChildren>();
  const agents = addressees(state);
  const addressee = agents.some(({ participantId }) => participantId === to) ? to : EVERYONE;

  const send = async () => {
    const message = text.trim();
    if (message === "" || isSending) return;
    const bytes = utf8Bytes(message);
    if (bytes > limits.MESSAGE_BYTES) return setProblem(words.tooLong(bytes));
    setSending(true);
    setProblem(undefined);
    try {
      await session.say(message, addressee === EVERYONE ? undefined : addressee);
      // What was typed meanwhile stays.
      setText((now) => (now === text ? "" : now));
    } catch (error) {
      setProblem(problemOf(error));
    }
    setSending(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!event.repeat) void send();
  };
  return (
    <form
      class="composer"
      aria-label={words.write}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div class="composer-row">
        <label class="field-label" for="say-to">
          {words.to}
        </label>
        <select
          class="select"
          id="say-to"
          value={addressee}
          onChange={(event) => setTo(event.currentTarget.value)}
        >
          <option value={EVERYONE}>{words.everyone}</option>
          {agents.map((agent) => (
            <option key={agent.participantId} value={agent.participantId}>
              {spell(agent.name)}
              {isNameShared(state, agent.name, agent.participantId) &&
                ` ${shortId(agent.participantId)}`}
            </option>
          ))}
        </select>
      </div>
      <div class="composer-row">
        <label class="sr" for="say">
          {words.message}
        </label>
        <textarea
          class="input"
          id="say"
          rows={1}
          placeholder={words.placeholder}
          autoComplete="off"
          aria-describedby="say-problem"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <button class="btn btn-large" type="submit" aria-disabled={isSending}>
          {isSending ? words.sending : words.send}
        </button>
      </div>
      <p class="problem" id="say-problem" role="alert">
        {problem}
      </p>
    </form>
  );
}

function problemOf(error: unknown): ComponentChildren {
  if (error instanceof NotSent) return words.notSent;
  if (error instanceof AnswerUnknown) return words.unknown;
  if (!(error instanceof RoomRefusal)) throw error;
  if (error.code === "rate_limited") return words.limited;
  if (error.code === "participant_not_found") return words.gone;
  return [words.refused, <VisibleText key="said" text={error.message} />];
}
