import { isOver, waitingCount } from "../model/state.ts";
import { common, room as words } from "../text/index.ts";
import { VisibleText } from "../visible-text/visible-text.tsx";
import { Banner } from "./banner.tsx";
import { goTo } from "./go-to.ts";
import { Icon, type IconName } from "./icons.tsx";
import { PANEL_BUTTON, PANEL_ID, type Panel } from "./panel.ts";
import { useRoom } from "./room-context.ts";
import { Avatar, Who } from "./who.tsx";

const NAMES_SHOWN = 8;
const AVATARS_SHOWN = 3;

interface Props {
  showKeys: () => void;
  /** The one that is open. */
  panel: Panel | undefined;
  toggle: (panel: Panel) => void;
}

/** The Room's name, how this page stands to it, and who is here. */
export function Header({ showKeys, panel, toggle }: Props) {
  const { state } = useRoom();
  const waiting = waitingCount(state);
  return (
    <header class="top">
      <div class="top-row">
        <span class="brand">
          <Icon name="hand" />
          <span class="brand-word">{common.product}</span>
        </span>
        <span class="brand-sep" aria-hidden="true" />
        <RoomLine />
        {waiting > 0 && (
          <button class="btn waits" type="button" onClick={() => goTo("waiting")}>
            <Icon name="hand" small />
            <span class="num">{words.waiting(waiting)}</span>
          </button>
        )}
        {isOver(state) ? <span class="top-people" /> : <People />}
        {!isOver(state) && (
          <PanelButton panel="alerts" icon="bell" opened={panel} toggle={toggle} isQuiet>
            {words.alerts}
          </PanelButton>
        )}
        <button class="btn btn-icon btn-quiet hide-small" type="button" onClick={showKeys}>
          <Icon name="keys" />
          <span class="sr">{words.keys}</span>
        </button>
        {!isOver(state) && (
          <>
            <PanelButton panel="people" icon="people" opened={panel} toggle={toggle}>
              {words.peopleTitle}
            </PanelButton>
            <PanelButton panel="invite" icon="invite" opened={panel} toggle={toggle}>
              {words.invite}
            </PanelButton>
          </>
        )}
      </div>
      <Banner />
      <nav class="jump" aria-label={words.jump}>
        <button type="button" onClick={() => goTo("waiting")}>
          {words.waitingTitle} {state.room !== undefined && <span class="count">{waiting}</span>}
        </button>
        <button type="button" onClick={() => goTo("settled")}>
          {words.settledTitle}
        </button>
        <button type="button" onClick={() => goTo("talk")}>
          {words.talkTitle}
        </button>
      </nav>
    </header>
  );
}

function PanelButton(props: {
  panel: Panel;
  icon: IconName;
  opened: Panel | undefined;
  toggle: (panel: Panel) => void;
  /** An icon alone at every width. */
  isQuiet?: boolean;
  children: string;
}) {
  const { panel, isQuiet = false } = props;
  return (
    <button
      class={isQuiet ? "btn btn-icon btn-quiet" : "btn btn-phone"}
      type="button"
      id={PANEL_BUTTON[panel]}
      aria-expanded={props.opened === panel}
      aria-controls={PANEL_ID}
      onClick={() => props.toggle(panel)}
    >
      <Icon name={props.icon} small={!isQuiet} />
      <span class={isQuiet ? "sr" : "btn-label"}>{props.children}</span>
    </button>
  );
}

function RoomLine() {
  const { state } = useRoom();
  const people = presentPeople(state.participants);
  return (
    <div class="room-line">
      <h1 class="room-name">
        <VisibleText text={state.room?.name ?? ""} />
      </h1>
      <p class="top-sub">
        <ConnectionWord />
        {state.room !== undefined && !isOver(state) && (
          <span class="top-count">{words.people(people.length)}</span>
        )}
      </p>
    </div>
  );
}

function ConnectionWord() {
  const { live, connection } = useRoom().state;
  const isEnded = connection.state === "closed";
  const isConnecting = connection.state === "connecting" || connection.state === "open";
  const [look, word] = live
    ? ["presence", words.connected]
    : isEnded
      ? ["presence presence-off", words.ended]
      : isConnecting
        ? ["presence presence-unknown", words.connecting]
        : ["presence presence-off", words.notConnected];
  return (
    <span class={look} role="status" data-connection={live ? "live" : connection.state}>
      {word}
    </span>
  );
}

function People() {
  const { state } = useRoom();
  const you = state.you?.participantId;
  const people = presentPeople(state.participants).sort(
    (one, other) => Number(other.participantId === you) - Number(one.participantId === you),
  );
  const shown = people.slice(0, NAMES_SHOWN);
  return (
    <div class="top-people">
      <span class="stack" aria-hidden="true">
        {people.slice(0, AVATARS_SHOWN).map((person) => (
          <Avatar
            key={person.participantId}
            name={person.name}
            look={person.participantId === you ? "you" : "person"}
          />
        ))}
      </span>
      <span class="people-names">
        <span class="sr">{words.peopleHere}</span>
        {shown.map((person, index) => (
          <span key={person.participantId}>
            {index > 0 && ", "}
            {person.participantId === you ? common.you(<Who who={person} />) : <Who who={person} />}
          </span>
        ))}
        {people.length > shown.length && words.waitsMore(people.length - shown.length)}
      </span>
    </div>
  );
}

function presentPeople<T extends { role: string; present: boolean }>(participants: readonly T[]) {
  return participants.filter((one) => one.role === "human" && one.present);
}
