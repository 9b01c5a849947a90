import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Card } from "../page/view/card.tsx";
import { RoomProvider, type RoomView } from "../page/view/room-context.ts";
import { RoomPage } from "../page/view/room-page.tsx";
import { actOn, keepRestless } from "./act.ts";
import type { RoomShown } from "./shown.ts";
import { openStillSession } from "./still-session.ts";

/** The state's Room as the deployed page draws it. */
export function WholeRoom({ shown }: { shown: RoomShown }) {
  const room = useStillRoom(shown);
  return (
    <Acted shown={shown}>
      <RoomPage {...room} />
    </Acted>
  );
}

/** The state's cards alone. */
export function Cards({ shown }: { shown: RoomShown }) {
  const room = useStillRoom(shown);
  return (
    <Acted shown={shown}>
      <RoomProvider value={room}>
        <ol class="cards">
          {room.state.open.map((entry) => (
            <li key={entry.card.requestId}>
              <Card entry={entry} showKeys={() => {}} />
            </li>
          ))}
        </ol>
      </RoomProvider>
    </Acted>
  );
}

function useStillRoom({ events }: RoomShown): RoomView {
  const [session] = useState(() => openStillSession(events));
  const [, look] = useState(0);
  useEffect(() => session.store.subscribe(() => look((looks) => looks + 1)), [session]);
  return { state: session.store.state, session, leave: async () => {} };
}

/** Says in `data-acted` that the state is there. */
function Acted({ shown, children }: { shown: RoomShown; children: ComponentChildren }) {
  const element = useRef<HTMLDivElement>(null);
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (element.current !== null) {
      void actOn(element.current, shown.acts ?? []).then(() => setDone(true));
    }
    return shown.isRestless === true ? keepRestless() : undefined;
  }, [shown]);
  return (
    <div ref={element} data-acted={isDone ? shown.name : undefined}>
      {children}
    </div>
  );
}
