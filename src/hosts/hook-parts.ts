import { defined } from "../kit/defined.ts";
import type { CommandLine, HookPart, Settings } from "./host.ts";

/** The shell line with which a host calls our hook for an event. */
export function hookLine({ command, args }: CommandLine, host: string, event: string): string {
  return [command, ...hookWords(args, host, event)].map(quoted).join(" ");
}

/** The arguments of the hook command, built from those of `serve`. */
export function hookWords(args: readonly string[], host: string, event: string): readonly string[] {
  const serve = args.indexOf("serve");
  const before = serve === -1 ? args : args.slice(0, serve);
  return [...before, "hook", host, event];
}

/** The hooks of a host in Claude Code's form: a list of groups for each event, with a matcher for tools. */
export function groupedHooks(
  events: readonly (readonly [event: string, matcher?: string])[],
  handler: (event: string) => Settings,
): readonly HookPart[] {
  return events.map(([event, matcher]) => ({
    kind: "hook",
    at: ["hooks", event],
    entry: { ...defined({ matcher }), hooks: [handler(event)] },
  }));
}

/** The hooks of a host with a plain list of handlers. */
export function plainHooks(events: readonly string[], handler: (event: string) => Settings): readonly HookPart[] {
  return events.map((event) => ({ kind: "hook", at: ["hooks", event], entry: handler(event) }));
}

/** True for our hook entries, recognized by the command they call. */
export function isOurHook(entry: unknown): boolean {
  return /\bhook["', \\]+(claude|codex|gemini|qwen|copilot|opencode|cursor)["', \\]+\w/.test(
    JSON.stringify(entry ?? ""),
  );
}

/** Quotes a word for a shell; a variable stays in double quotes, so that it is filled in. */
function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return word.includes("${") ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", "'\\''")}'`;
}
