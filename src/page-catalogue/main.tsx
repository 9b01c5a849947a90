import { render } from "preact";
import { CATALOGUE } from "./catalogue.ts";
import { DoorState } from "./door-state.tsx";
import { Overview } from "./overview.tsx";
import { WholeRoom } from "./room-state.tsx";
import { stopClock } from "./still-clock.ts";

stopClock();

const name = new URLSearchParams(location.search).get("state");
const shown = CATALOGUE.find((shown) => shown.name === name);
const page = document.getElementById("page");
if (page !== null) render(drawn(), page);

function drawn() {
  if (shown === undefined) return <Overview />;
  return "door" in shown ? <DoorState shown={shown} /> : <WholeRoom shown={shown} />;
}
