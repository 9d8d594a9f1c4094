import type { VNode } from "preact";
import type { InboxItem } from "../../api/board-data.ts";

type EvidenceCounts = InboxItem["looked"];

/** A bar and a label for how much of the evidence is claimed, verified and waived. */
export function EvidenceBar({
  looked,
  waived,
}: {
  readonly looked: EvidenceCounts;
  readonly waived?: number | undefined;
}): VNode {
  const all = looked.found + looked.agrees + looked.differs + looked.word;
  const parts = [
    ["differs", looked.differs],
    ["found", looked.found],
    ["agrees", looked.agrees],
    ["word", looked.word],
  ] as const;
  return (
    <span class="looked">
      {all === 0 ? null : (
        <svg class="looked-bar" viewBox={`0 0 ${all} 1`} preserveAspectRatio="none" aria-hidden="true">
          {parts.map(([name, count], at) => (
            <rect
              key={name}
              class={name}
              x={parts.slice(0, at).reduce((sum, [, before]) => sum + before, 0)}
              width={count}
              height={1}
            />
          ))}
        </svg>
      )}
      <span>
        {evidenceCountText(looked)}
        {waived === undefined ? "" : ` · ${waived} waived`}
      </span>
    </span>
  );
}

/** Counts claimed and verified evidence in words. */
export function evidenceCountText({ found, agrees, differs, word }: EvidenceCounts): string {
  if (found + agrees + differs + word === 0) return "no evidence";
  const said = [`${word} claimed`, `${agrees + found} verified`];
  return (differs > 0 ? [`${differs} contradicted`, ...said] : said).join(" · ");
}

/** Counts a list of evidence by its status. */
export function countEvidence(evidence: readonly { readonly standing: keyof EvidenceCounts }[]): EvidenceCounts {
  const count = (status: keyof EvidenceCounts): number => evidence.filter((one) => one.standing === status).length;
  return { found: count("found"), agrees: count("agrees"), differs: count("differs"), word: count("word") };
}
