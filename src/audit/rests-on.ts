import type { Event } from "../workflow/events.ts";

/** What a completion rests on: what can be proved of it now, and what is taken at somebody's word. */
export function restsOn(completed: (Event & { readonly type: "completed" }) | undefined): {
  readonly proved: readonly string[];
  readonly claimed: readonly string[];
} {
  if (completed === undefined) return { proved: [], claimed: [] };
  const { evidence = {}, content = [], violations, word, client } = completed;
  const fields = Object.keys(evidence);
  const claimed = [
    ...(fields.length === 0 ? [] : [`evidence, taken at its word: ${fields.join(", ")}`]),
    ...content.map(({ path, sha256 }) => `handed in: ${path} (sha256 ${sha256.slice(0, 12)})`),
    ...(violations === undefined ? [] : [`rules: ${found(violations.length)} then, not run again`]),
    ...wordOf(word, client),
  ];
  return { proved: [], claimed: claimed.length === 0 ? ["that it was done"] : claimed };
}

function found(count: number): string {
  return count === 0 ? "nothing found" : `${count} finding(s)`;
}

function wordOf(word: (Event & { readonly type: "completed" })["word"], client: string | undefined): readonly string[] {
  const text = word.text === undefined ? "" : `: "${word.text.slice(0, 80)}"`;
  if (word.level === "relayed") return [`a person's word, as the assistant passed it on${text}`];
  return word.level === "elicited" ? [`a person's answer through ${client ?? "the client"}${text}`] : [];
}
