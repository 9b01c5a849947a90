import { useState } from "preact/hooks";
import { createRoom, RoomRefusal, RoomUnreachable } from "../../client/index.ts";
import type { RoomCreated } from "../../protocol/index.ts";
import { home as words } from "../text/home.ts";
import { common } from "../text/index.ts";
import { invites } from "../text/invites.ts";
import { Door } from "./door.tsx";
import { AgentLine, HumanLink, SetupPrompt } from "./invites.tsx";

/** What this is, in three sentences, and a Room for whoever wants one. */
export function HomePage() {
  const [created, setCreated] = useState<RoomCreated>();
  return (
    <Door>
      {created === undefined ? (
        <>
          <h1>{words.title}</h1>
          {words.lead.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
          <CreateForm onCreated={setCreated} />
          <p class="foot">
            <a href="/docs/permissions">{common.permissions}</a>
          </p>
        </>
      ) : (
        <Created created={created} />
      )}
    </Door>
  );
}

function CreateForm({ onCreated }: { onCreated: (created: RoomCreated) => void }) {
  const [name, setName] = useState("");
  const [key, setKey] = useState("");
  const [needsKey, setNeedsKey] = useState(false);
  const [isCreating, setCreating] = useState(false);
  const [problem, setProblem] = useState<string>();
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isCreating) return;
    setCreating(true);
    setProblem(undefined);
    const body = name.trim() === "" ? {} : { name };
    try {
      const server = location.origin;
      onCreated(await createRoom({ server }, body, key === "" ? undefined : key));
    } catch (error) {
      if (error instanceof RoomRefusal && error.status === 401) setNeedsKey(true);
      setProblem(problemOf(error, key));
    }
    setCreating(false);
  };
  return (
    <form class="door-form" onSubmit={(event) => void submit(event)}>
      <label class="field-label" for="name">
        {words.name}
      </label>
      <input
        class="input"
        id="name"
        autoComplete="off"
        maxLength={200}
        aria-describedby="name-hint"
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <p class="hint" id="name-hint">
        {words.nameHint}
      </p>
      {needsKey && (
        <>
          <label class="field-label" for="key">
            {words.key}
          </label>
          <input
            class="input"
            id="key"
            type="password"
            autoComplete="off"
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
        </>
      )}
      <p class="problem" role="alert">
        {problem}
      </p>
      <button class="btn btn-primary btn-large" type="submit" aria-disabled={isCreating}>
        {isCreating ? words.creating : words.submit}
      </button>
    </form>
  );
}

function problemOf(error: unknown, key: string): string {
  if (error instanceof RoomUnreachable) return words.failed;
  if (!(error instanceof RoomRefusal)) throw error;
  if (error.status === 401) return key === "" ? words.keyHint : words.badKey;
  return error.status === 429 ? words.limited : words.refused;
}

function Created({ created }: { created: RoomCreated }) {
  return (
    <>
      <h1>{words.created}</h1>
      <p>{words.secrets}</p>
      <HumanLink url={created.humanUrl} lead={invites.personLead} as="h2" />
      <AgentLine invite={created.residentInvite} as="h2" />
      <SetupPrompt as="h2" />
      <p class="door-acts">
        <a class="btn btn-primary btn-large" href={created.humanUrl}>
          {words.open}
        </a>
      </p>
    </>
  );
}
