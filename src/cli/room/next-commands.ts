import type { RoomCreated } from "../../protocol/index.ts";
import { inLine } from "../safe-text.ts";

/** Commands to copy, with what they need in the environment: a list of processes shows none of it. */
export function nextCommands(room: Pick<RoomCreated, "humanUrl" | "residentInvite">): {
  run: string;
  ask: string;
  watch: string;
} {
  const { origin } = new URL(room.humanUrl);
  const handraise = `npx -y ${quote(`${origin}/handraise.tgz`)}`;
  const asResident = `HANDRAISE_INVITE=${quote(`${origin}/r#${room.residentInvite}`)} ${handraise}`;
  return {
    run: `${asResident} run -- AGENT`,
    ask: `${asResident} ask "Deploy 4.2 to production?" && echo deploying`,
    watch: `HANDRAISE_INVITE=${quote(inLine(room.humanUrl))} ${handraise} watch`,
  };
}

/** One word of a POSIX shell. */
function quote(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
