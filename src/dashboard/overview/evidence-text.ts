/** A field of the evidence and its status: verified, claimed and verified, contradicted, or only claimed. */
export type ShownEvidence = {
  readonly field: string;
  readonly value: unknown;
  readonly standing: "found" | "agrees" | "differs" | "word";
  /** The check that found it. */
  readonly check?: string;
  /** The value found, if it differs. */
  readonly found?: unknown;
};

/** The number of fields of each status. */
export type EvidenceCounts = Readonly<Record<ShownEvidence["standing"], number>>;

/** Counts claimed and verified evidence in words. */
export function evidenceCountText({ found, agrees, differs, word }: EvidenceCounts): string {
  if (found + agrees + differs + word === 0) return "no evidence";
  const said = [`${word} claimed`, `${agrees + found} verified`];
  return (differs > 0 ? [`${differs} contradicted`, ...said] : said).join(" · ");
}
