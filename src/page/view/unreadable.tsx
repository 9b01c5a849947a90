import { common } from "../text/index.ts";
import { unreadable as words } from "../text/unreadable.ts";
import { Icon } from "./icons.tsx";

/** In place of cards that came in a shape that this page does not know: nobody is to believe that nothing waits. */
export function Unreadable({ count }: { count: number }) {
  return (
    <div class="unreadable" role="alert">
      <Icon name="warn" />
      <div>
        <h3>{words.title(count)}</h3>
        <p>{words.text}</p>
      </div>
      <button class="btn" type="button" onClick={() => location.reload()}>
        {common.reload}
      </button>
    </div>
  );
}
