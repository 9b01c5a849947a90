import type { Fetched } from "../../page/model/state.ts";
import type { Card } from "../../protocol/index.ts";
import { command, makeCard, STD } from "../asks.ts";
import { cardShown, type Shown } from "../shown.ts";

const whole = command("node migrate.js --all", { title: "Migrate the database" });
const summary = { toolCallId: "t1", kind: "execute", title: "Migrate the database" };

function byReference(name: string): Card {
  const evidence = {
    inline: false,
    bytes: 812_345,
    sha256: "0".repeat(64),
    cut: ["rawInput"],
  } as const;
  return makeCard(
    name,
    { toolCall: summary, options: STD },
    { evidence: { ...evidence, cut: [...evidence.cut] } },
  );
}

function shown(name: string, says: string, fetched: Fetched): Shown {
  return cardShown(byReference(name), says, [{ type: "fetched", requestId: name, fetched }]);
}

/** A tool call too large for a frame. */
export const BY_REFERENCE: readonly Shown[] = [
  shown("reference-loading", "By reference: on its way", { state: "loading" }),
  shown("reference-unreachable", "By reference: could not be loaded", {
    state: "failed",
    why: "unreachable",
  }),
  shown("reference-altered", "By reference: its hash is another", {
    state: "failed",
    why: "altered",
  }),
  shown("reference-dropped", "By reference: not stored any more", {
    state: "failed",
    why: "dropped",
  }),
  shown("reference-unchecked", "By reference: here, its hash not computed", {
    state: "unchecked",
    toolCall: whole,
  }),
  shown("reference-loaded", "By reference: here and checked", { state: "loaded", toolCall: whole }),
];
