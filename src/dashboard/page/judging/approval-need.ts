import type { ShownNeed } from "../../api/pages/page-data.ts";

/** Describes the required approval in a sentence. */
export function approvalNeedText({ level, by, count }: ShownNeed): string {
  const proved = level === "proven" ? ", each with their own key" : "";
  if (count > 1)
    return `Needs approval from ${count} people${by === undefined ? "" : ` out of ${joinNames(by)}`}${proved}.`;
  const what = by === undefined ? "one person's approval" : `approval from ${joinNames(by, "or")}`;
  return `Needs ${what}${level === "proven" ? ", with their own key" : ""}.`;
}

function joinNames(names: readonly string[], word = "and"): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${word} ${names.at(-1)}`;
}
