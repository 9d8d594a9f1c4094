import type { ShownNeed } from "../../http/pages/page-data.ts";

/** What is needed of people, in a sentence. */
export function needInWords({ level, by, count }: ShownNeed): string {
  const proved = level === "proven" ? ", each proved by their own key" : "";
  if (count > 1) return `Needed: the yes of ${count} people${by === undefined ? "" : ` of ${listOf(by)}`}${proved}.`;
  const who = by === undefined ? "a person" : listOf(by, "or");
  return `Needed: the yes of ${who}${level === "proven" ? ", proved by their own key" : ""}.`;
}

function listOf(names: readonly string[], word = "and"): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${word} ${names.at(-1)}`;
}
