import type { CommandLine, HookPart, Settings } from "./host.ts";

/** How a host calls our hook for one of its events: as one line for a shell. */
export function hookLine({ command, args }: CommandLine, host: string, event: string): string {
  return [command, ...hookWords(args, host, event)].map(quoted).join(" ");
}

/** The words after the program: what serves is asked for the hook instead. */
export function hookWords(args: readonly string[], host: string, event: string): readonly string[] {
  const serve = args.indexOf("serve");
  const before = serve === -1 ? args : args.slice(0, serve);
  return [...before, "hook", host, event];
}

/** The hooks of a host that has Claude Code's form: a list of groups for each event, with a matcher where it is about tools. */
export function groupedHooks(
  events: readonly (readonly [event: string, matcher?: string])[],
  handler: (event: string) => Settings,
): readonly HookPart[] {
  return events.map(([event, matcher]) => ({
    kind: "hook",
    at: ["hooks", event],
    entry: { ...(matcher === undefined ? {} : { matcher }), hooks: [handler(event)] },
  }));
}

/** The hooks of a host that lists its handlers plainly. */
export function plainHooks(events: readonly string[], handler: (event: string) => Settings): readonly HookPart[] {
  return events.map((event) => ({ kind: "hook", at: ["hooks", event], entry: handler(event) }));
}

/** Tells our entries from everybody else's: by what they call, whatever it is called with. */
export function isOurHook(entry: unknown): boolean {
  return /\bhook["', \\]+(claude|codex|gemini|qwen|copilot|opencode|cursor)["', \\]+\w/.test(
    JSON.stringify(entry ?? ""),
  );
}

/** A word that a shell takes as it is; a variable in double quotes is filled in. */
function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return word.includes("${") ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", "'\\''")}'`;
}
