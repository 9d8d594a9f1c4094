import type { EvidenceType } from "../../../workflow/gate.ts";

/** The clauses of a text that say what must be. */
export function mustClauses(words: string): string[] {
  return [
    ...words.matchAll(
      /(?:^|[,;:(–—]|\.\s|\band\s)\s*(?:it |this |they )?((?:must|has to|needs to|shall|cannot|can't|may not)\b(?:"[^"]*"|`[^`]*`|\/\S+\/|[^,;()"`.]|\.(?=\S))*)/gi,
    ),
  ].map(([, clause = ""]) => clause);
}

/** Tells whether a clause speaks of a value, so that it is a rule and not advice: "must be divisible by 3", `must read "ok"`. */
export function isValueLike(clause: string): boolean {
  if (
    /^(?:must|has to|needs to|shall) be (?:an? |the )?(?:integer|int|boolean|float|number|string|text|list|array|object)s?\b/i.test(
      clause,
    )
  )
    return false;
  return (
    /\d|["“`]|\bthan\b|\bat (?:least|most)\b|\bequals?\b|\bexceed\b|\bnot (?:yet )?exist\b/.test(clause) ||
    /\bbe (?:an? |in (?:an? )?)?(?:syntactically )?(?:valid|well-?formed|pars(?:e)?able)\b/i.test(clause) ||
    /\bbe (?:an? )?(?:unique|distinct|sorted|even|odd|prime|divisible|multiple|ascending|descending|increasing|decreasing|lower ?case|upper ?case)\b/i.test(
      clause,
    )
  );
}

/** A number that is all that is said: nobody can tell what it limits. */
export function bareNumber(words: string, type: EvidenceType): string | undefined {
  if (type !== "integer" && type !== "number" && type !== "string") return undefined;
  const said = words.replaceAll(/[;\s)]+$|^[;\s:=(–—-]+/g, "").trim();
  return /^-?\d[\d,]*(?:\.\d+)?\s*(?:%|per ?cent|\/\s*\d+(?:\.\d+)?)?\.?$/.test(said) ? said : undefined;
}
