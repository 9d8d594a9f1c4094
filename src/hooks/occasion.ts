import type { JsonObject } from "../evidence/json.ts";

/** The hosts whose hooks are understood, by the names that `init` knows them by. */
export const hookHosts = ["claude", "codex", "gemini", "qwen", "copilot", "opencode", "cursor", "vscode"] as const;
export type HookHost = (typeof hookHosts)[number];

/** What a host tells its hook, whatever its dialect. */
export type Occasion = {
  /** Which of the host's sessions it is; absent where it does not say. */
  readonly session?: string;
  /** Where the host works. */
  readonly cwd?: string;
} & (
  | { readonly kind: "start" | "prompt" | "compacting" | "other" }
  /** A tool is about to be used, or was. */
  | { readonly kind: "before" | "after"; readonly use: ToolUse }
  /** The assistant wants to end its turn; `again`: a hook has kept it from that already. */
  | { readonly kind: "stop"; readonly again: boolean }
);

/** A use of a tool, as far as it matters here. */
export type ToolUse =
  | { readonly kind: "edit"; readonly paths: readonly string[] }
  | { readonly kind: "shell"; readonly command: string; readonly cwd?: string }
  | {
      readonly kind: "waymark";
      readonly tool: string;
      /** By its name it is Waymark's; otherwise it is where a bot at work here has such a tool. */
      readonly isSure: boolean;
      readonly input: JsonObject;
      /** What the tool answered, as text, where it has. */
      readonly response?: string;
    }
  | { readonly kind: "other" };

/** What a hook answers: nothing, a text for the model, a no to a tool, or a reason to go on. */
export type Answer =
  | { readonly kind: "nothing" }
  | { readonly kind: "context"; readonly text: string }
  | { readonly kind: "deny"; readonly reason: string }
  | { readonly kind: "go on"; readonly reason: string };
