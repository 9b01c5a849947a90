export * from "./ask-timeout.ts";
export * from "./check-narrows.ts";
export * from "./choose-option.ts";
export {
  EMPTY_POLICY,
  type Policy,
  TOOL_KINDS,
  type ToolKind,
  UNREADABLE_POLICY,
} from "./policy.ts";
export {
  parsePolicy,
  POLICY_KEY_BYTES,
  POLICY_KEYS,
  readPolicy,
  type ReadPolicy,
} from "./read-policy.ts";
export {
  judge,
  type JudgedCall,
  type JudgedVerdict,
  type KeyedVerdict,
  type Policies,
  verdictFor,
} from "./verdict-for.ts";
export { stricter, type Verdict, VERDICTS } from "./verdict.ts";
