import { CATALOGUE } from "./catalogue.ts";
import { Cards } from "./room-state.tsx";

/** All of them on one page: cards as they are, and what needs a page of its own in a frame. */
export function Overview() {
  return (
    <main class="catalogue">
      <h1>Every state of the page</h1>
      <p>Made of recorded agent data by the page’s own reducer; time stands still here.</p>
      <ol class="catalogue-states">
        {CATALOGUE.map((shown) => (
          <li key={shown.name}>
            <h2>
              <a href={`?state=${shown.name}`}>{shown.says}</a>
            </h2>
            {"door" in shown || shown.isWhole === true ? (
              <iframe src={`?state=${shown.name}`} title={shown.says} loading="lazy" />
            ) : (
              <Cards shown={shown} />
            )}
          </li>
        ))}
      </ol>
    </main>
  );
}
