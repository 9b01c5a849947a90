import {
  OPTION_KINDS,
  type OptionKind,
  type PermissionOption,
  permissionOptions,
} from "../../protocol/index.ts";
import { CommandFailure } from "../exit.ts";
import { inLine } from "../safe-text.ts";

/**
 * Reads `--option` values, each `id=name:kind`: the id ends at the first `=`, the kind begins after the last `:`. Undefined for
 * none. @throws CommandFailure where one cannot be read
 */
export function readOfferedOptions(values: readonly string[]): PermissionOption[] | undefined {
  if (values.length === 0) return undefined;
  const options = values.map(readOne);
  const ids = options.map(({ optionId }) => optionId);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) {
    throw new CommandFailure(
      `--option: the id “${inLine(twice)}” stands there twice. Nothing was asked. Give every option an id of its own.`,
    );
  }
  const parsed = permissionOptions.safeParse(options);
  if (parsed.success) return parsed.data;
  throw new CommandFailure(
    "--option: at most 32 options can be offered, each with an id of at most 512 bytes and a name of at most 2048. Nothing was asked.",
  );
}

function readOne(value: string): PermissionOption {
  const equals = value.indexOf("=");
  const colon = value.lastIndexOf(":");
  const optionId = value.slice(0, Math.max(0, equals));
  const name = value.slice(equals + 1, Math.max(equals + 1, colon));
  const kind = value.slice(colon + 1);
  if (optionId === "" || name.trim() === "" || !isKind(kind)) {
    throw new CommandFailure(
      `--option “${inLine(value)}” is not id=name:kind with a kind of ${OPTION_KINDS.join(", ")}. Nothing was asked. Write for example --option "yes=Deploy:allow_once".`,
    );
  }
  return { optionId, name, kind };
}

function isKind(text: string): text is OptionKind {
  return (OPTION_KINDS as readonly string[]).includes(text);
}
