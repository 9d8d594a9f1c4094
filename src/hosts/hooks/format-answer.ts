import type { JsonObject } from "../../kit/json.ts";
import type { HookAnswer, HookHost } from "./hook-event.ts";

/** Formats an answer for a host; an answer the host cannot express becomes an empty object. */
export function formatAnswer(host: HookHost, event: string, answer: HookAnswer, input: JsonObject = {}): JsonObject {
  switch (host) {
    case "claude":
    case "codex":
    case "qwen":
    case "vscode":
      return asClaude(event, answer, "hookEventName" in input);
    case "gemini":
      return asGemini(event, answer);
    case "copilot":
      return asCopilot(answer);
    case "cursor":
      return asCursor(answer);
    case "opencode":
      return asOpenCode(answer);
  }
}

/** VS Code also runs Claude Code's hooks, but expects a refused stop in its own form. */
function asClaude(hookEventName: string, answer: HookAnswer, isVsCode: boolean): JsonObject {
  switch (answer.kind) {
    case "nothing":
      return {};
    case "context":
      return { hookSpecificOutput: { hookEventName, additionalContext: answer.text } };
    case "deny":
      return {
        hookSpecificOutput: {
          hookEventName,
          permissionDecision: "deny",
          permissionDecisionReason: answer.reason,
        },
      };
    case "go on": {
      const block = { decision: "block", reason: answer.reason };
      return isVsCode ? { hookSpecificOutput: { hookEventName, ...block } } : block;
    }
  }
}

function asGemini(hookEventName: string, answer: HookAnswer): JsonObject {
  switch (answer.kind) {
    case "nothing":
      return {};
    case "context":
      return { hookSpecificOutput: { hookEventName, additionalContext: answer.text } };
    case "deny":
    case "go on":
      return { decision: "deny", reason: answer.reason };
  }
}

function asCopilot(answer: HookAnswer): JsonObject {
  switch (answer.kind) {
    case "nothing":
      return {};
    case "context":
      return { additionalContext: answer.text };
    case "deny":
      return { permissionDecision: "deny", permissionDecisionReason: answer.reason };
    case "go on":
      return { decision: "block", reason: answer.reason };
  }
}

function asCursor(answer: HookAnswer): JsonObject {
  switch (answer.kind) {
    case "nothing":
      return {};
    case "context":
      return { additional_context: answer.text };
    case "deny":
      return { permission: "deny", user_message: answer.reason, agent_message: answer.reason };
    case "go on":
      return { followup_message: answer.reason };
  }
}

/** The plugin that `init` writes reads these keys. */
function asOpenCode(answer: HookAnswer): JsonObject {
  switch (answer.kind) {
    case "nothing":
      return {};
    case "context":
      return { context: answer.text };
    case "deny":
      return { deny: answer.reason };
    case "go on":
      return { remind: answer.reason };
  }
}
