import { stopActs as words, STOPS, type StopReason } from "../text/stops.ts";
import { Door } from "./door.tsx";

/** Why there is no Room here, and what to do next. */
export function StopPage({ reason }: { reason: StopReason }) {
  const { title, text, next } = STOPS[reason];
  const canReload = reason === "replaced" || reason === "version";
  return (
    <Door>
      <h1>{title}</h1>
      <p>{text}</p>
      <p>{next}</p>
      <p class="door-acts">
        {canReload ? (
          <button class="btn btn-large" type="button" onClick={() => location.reload()}>
            {words.reload}
          </button>
        ) : (
          <a class="btn btn-large" href="/">
            {words.home}
          </a>
        )}
      </p>
    </Door>
  );
}
