import { HUMAN_FRAMES, RESIDENT_FRAMES, ROOM_FRAMES } from "./examples.ts";
import { frameName, FRAMES, frameSchemas, type JsonSchema } from "./schemas.ts";
import { describeSocket } from "./socket.ts";

const DEFS = "#/$defs/";

const DIRECTIONS = {
  human: { name: "HumanFrame", description: "Human → Room", examples: HUMAN_FRAMES },
  resident: { name: "ResidentFrame", description: "Resident → Room", examples: RESIDENT_FRAMES },
  room: {
    name: "RoomFrame",
    description: "Room → participants. Ignore types that you do not know.",
    examples: ROOM_FRAMES,
  },
} as const;

/** Every frame as JSON Schema, each with an example. */
export function framesDocument(): JsonSchema {
  const $defs = frameSchemas(DEFS);
  const unions: Record<string, JsonSchema> = {};
  for (const direction of ["human", "resident", "room"] as const) {
    const { name, description, examples } = DIRECTIONS[direction];
    const types = FRAMES[direction].options.map((option) => option.shape.type.value);
    unions[name] = {
      description,
      oneOf: types.map((type) => ({ $ref: `${DEFS}${frameName(type)}` })),
    };
    for (const [type, example] of Object.entries(examples)) {
      Object.assign($defs[frameName(type)] ?? {}, { examples: [example] });
    }
  }
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Handraise frames",
    description: describeSocket(),
    anyOf: Object.keys(unions).map((name) => ({ $ref: `${DEFS}${name}` })),
    $defs: { ...unions, ...$defs },
  };
}
