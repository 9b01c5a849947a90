import type { Command } from "commander";
import { addServerOption } from "./common-options.ts";
import type { Register } from "./program.ts";

export interface RoomOptions {
  server?: string;
  name?: string;
  json?: boolean;
}

/** `handraise room` */
export const registerRoom: Register = (program, surroundings) => {
  const command: Command = addServerOption(
    program.command("room").description("create a Room; print its human link and resident invite"),
  );
  command
    .option("--name <name>", "what the Room is called")
    .option("--json", "print the Room as one line of JSON, its invites included")
    .action(async (options: RoomOptions) => {
      const { createAndPrint } = await import("./room/create.ts");
      await createAndPrint(options, surroundings);
    });
};
