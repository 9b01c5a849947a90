import { useEffect, useState } from "preact/hooks";
import { wishes } from "../background/alerts.ts";
import { askPermission, noticePermission } from "../background/notice.ts";
import { canSound, isAudible, playTone, wakeSound } from "../background/tone.ts";
import type { Wish } from "../background/wishes.ts";
import { alerts as words } from "../text/alerts.ts";
import { PanelFrame } from "./panel-frame.tsx";

/** How this browser is to tell of new cards, and what it does not let the page do. */
export function AlertsPanel({ close }: { close: () => void }) {
  const [, look] = useState(0);
  useEffect(() => wishes.subscribe(() => look((looks) => looks + 1)), []);
  return (
    <PanelFrame title={words.title} close={close}>
      <div class="alerts">
        <p class="hint">{words.always}</p>
        <NotificationChoice />
        <SoundChoice />
        <p class="hint">{words.remembered}</p>
      </div>
    </PanelFrame>
  );
}

function NotificationChoice() {
  const [permission, setPermission] = useState(noticePermission);
  const [isAsking, setAsking] = useState(false);
  const isWished = wishes.state.notification;
  const turnOn = async () => {
    wishes.dispatch({ notification: true });
    setAsking(true);
    setPermission(await askPermission());
    setAsking(false);
  };
  const problems = {
    missing: words.notHere,
    denied: words.blocked,
    default: isAsking ? words.asking : words.dismissed,
    granted: undefined,
  };
  const isOn = isWished && permission === "granted";
  return (
    <Choice
      wish="notification"
      lead={words.notificationLead}
      isOn={isOn}
      problem={isWished || permission === "missing" ? problems[permission] : undefined}
      turn={() => (isOn ? wishes.dispatch({ notification: false }) : void turnOn())}
    />
  );
}

function SoundChoice() {
  const isOn = wishes.state.sound;
  const [isSilent, setSilent] = useState(!isAudible());
  const turn = async () => {
    wishes.dispatch({ sound: !isOn });
    if (isOn) return;
    await wakeSound();
    setSilent(!isAudible());
    playTone();
  };
  const problem = canSound() ? (isOn && isSilent ? words.silent : undefined) : words.noSound;
  return (
    <Choice
      wish="sound"
      lead={words.soundLead}
      isOn={isOn}
      problem={problem}
      turn={() => void turn()}
    />
  );
}

interface ChoiceProps {
  wish: Wish;
  lead: string;
  isOn: boolean;
  problem: string | undefined;
  turn: () => void;
}

function Choice({ wish, lead, isOn, problem, turn }: ChoiceProps) {
  return (
    <div class="choice" role="group" aria-labelledby={`wish-${wish}`}>
      <h3 id={`wish-${wish}`}>{words[wish]}</h3>
      <span class="count">{isOn ? words.on : words.off}</span>
      <button class="btn" type="button" aria-describedby={`wish-${wish}`} onClick={turn}>
        {isOn ? words.turnOff : words.turnOn}
      </button>
      <p class="hint">{lead}</p>
      <p class="problem" role="alert">
        {problem}
      </p>
    </div>
  );
}
