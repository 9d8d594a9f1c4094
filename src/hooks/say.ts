import type { JsonObject } from "../evidence/json.ts";
import type { Answer, HookHost } from "./occasion.ts";

/** Puts an answer into the words that a host understands; an answer that a host has no words for is none. */
export function say(host: HookHost, event: string, answer: Answer, input: JsonObject = {}): JsonObject {
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

/** VS Code runs the hooks of Claude Code as well, and wants a stop refused in a form of its own. */
function asClaude(hookEventName: string, answer: Answer, isVsCode: boolean): JsonObject {
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

function asGemini(hookEventName: string, answer: Answer): JsonObject {
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

function asCopilot(answer: Answer): JsonObject {
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

function asCursor(answer: Answer): JsonObject {
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

/** The plugin that `init` writes reads these. */
function asOpenCode(answer: Answer): JsonObject {
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
