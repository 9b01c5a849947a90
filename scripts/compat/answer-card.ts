import type { Card } from "../../src/protocol/index.ts";
import { isAllow, optionFor, type Played } from "./answers.ts";
import type { Drive } from "./drive.ts";
import type { Human } from "./human.ts";
import type { Stage } from "./stage.ts";

interface Parts {
  human: Human;
  drive: Drive;
  stage: Stage;
}

/** Does with one card what was decided, and notes what was pressed and whether it counted. */
export async function answerCard(
  card: Card,
  played: Played,
  { human, drive, stage }: Parts,
  signal: AbortSignal,
): Promise<void> {
  const { press } = played;
  const optionId = optionFor(card, press);
  switch (press) {
    case "allow_once":
    case "allow_always":
    case "refuse":
      // Before the Room says that it took it: what it allows may have run by then.
      Object.assign(played, { optionId, isTaken: optionId !== undefined });
      played.isTaken =
        optionId === undefined
          ? (await human.dismiss(card)) && !isAllow(press)
          : await human.press(card, optionId);
      break;
    case "dismiss":
      played.isTaken = await human.dismiss(card);
      break;
    case "expire":
      await human.until(() => human.endOf(card) !== undefined, signal);
      played.isTaken = human.endOf(card) === "expired";
      break;
    case "stop":
      played.isTaken = true;
      drive.stop();
      break;
    case "kill_agent":
      played.isTaken = true;
      stage.killAgents();
      break;
    case "leave":
      break;
  }
}
