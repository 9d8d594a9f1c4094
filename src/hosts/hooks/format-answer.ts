import type { JsonObject } from "../../kit/json.ts";
import type { HookAnswer, HookHost } from "./hook-event.ts";

/** How a host expects each kind of answer; `event` is its own name for the event. */
type Dialect = {
  readonly [Kind in Exclude<HookAnswer["kind"], "nothing">]: (text: string, event: string) => JsonObject;
};

/** Formats an answer for a host; an answer the host cannot express becomes an empty object. */
export function formatAnswer(host: HookHost, event: string, answer: HookAnswer, input: JsonObject = {}): JsonObject {
  if (answer.kind === "nothing") return {};
  const isVsCode = dialects[host] === asClaude && "hookEventName" in input;
  const dialect = isVsCode ? asVsCode : dialects[host];
  return dialect[answer.kind](answer.kind === "context" ? answer.text : answer.reason, event);
}

const asClaude: Dialect = {
  context: (additionalContext, hookEventName) => ({ hookSpecificOutput: { hookEventName, additionalContext } }),
  deny: (permissionDecisionReason, hookEventName) => ({
    hookSpecificOutput: { hookEventName, permissionDecision: "deny", permissionDecisionReason },
  }),
  "go on": (reason) => ({ decision: "block", reason }),
};

/** VS Code also runs Claude Code's hooks, but expects a refused stop in its own form. */
const asVsCode: Dialect = {
  ...asClaude,
  "go on": (reason, hookEventName) => ({ hookSpecificOutput: { hookEventName, decision: "block", reason } }),
};

const denial = (reason: string): JsonObject => ({ decision: "deny", reason });

const dialects: Readonly<Record<HookHost, Dialect>> = {
  claude: asClaude,
  codex: asClaude,
  qwen: asClaude,
  vscode: asClaude,
  gemini: { context: asClaude.context, deny: denial, "go on": denial },
  copilot: {
    context: (additionalContext) => ({ additionalContext }),
    deny: (permissionDecisionReason) => ({ permissionDecision: "deny", permissionDecisionReason }),
    "go on": asClaude["go on"],
  },
  cursor: {
    context: (additional_context) => ({ additional_context }),
    deny: (reason) => ({ permission: "deny", user_message: reason, agent_message: reason }),
    "go on": (followup_message) => ({ followup_message }),
  },
  /** The plugin that `init` writes reads these keys. */
  opencode: {
    context: (context) => ({ context }),
    deny: (deny) => ({ deny }),
    "go on": (remind) => ({ remind }),
  },
};
