import type { JsonObject } from "../../kit/json.ts";

/** The hosts whose hooks Waymark understands, by their names in `init`. */
export const hookHosts = ["claude", "codex", "gemini", "qwen", "copilot", "opencode", "cursor", "vscode"] as const;
export type HookHost = (typeof hookHosts)[number];

/** A hook event of any host. */
export type HookEvent = {
  /** The host's session id; absent if the host does not send it. */
  readonly session?: string;
  /** The host's working folder. */
  readonly cwd?: string;
} & (
  | { readonly kind: "start" | "prompt" | "compacting" | "other" }
  /** A tool is about to run, or has run. */
  | { readonly kind: "before" | "after"; readonly use: ToolUse }
  /** The assistant is about to end its turn; `again` says that a hook has already prevented it. */
  | { readonly kind: "stop"; readonly again: boolean }
);

/** A tool call, reduced to what the hooks need. */
export type ToolUse =
  | { readonly kind: "edit"; readonly paths: readonly string[] }
  | { readonly kind: "shell"; readonly command: string; readonly cwd?: string }
  | {
      readonly kind: "waymark";
      readonly tool: string;
      /** True if the name shows that it is Waymark's; otherwise it is if a bot here has such a tool. */
      readonly isSure: boolean;
      readonly input: JsonObject;
      /** The tool's response as text, if there is one. */
      readonly response?: string;
    }
  | { readonly kind: "other" };

/** A hook's answer: nothing, text for the model, a denial, or a reason to continue. */
export type HookAnswer =
  | { readonly kind: "nothing" }
  | { readonly kind: "context"; readonly text: string }
  | { readonly kind: "deny"; readonly reason: string }
  | { readonly kind: "go on"; readonly reason: string };
