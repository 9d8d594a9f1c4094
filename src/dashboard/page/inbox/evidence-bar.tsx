import type { VNode } from "preact";
import { type EvidenceCounts, evidenceCountText } from "../../overview/evidence-text.ts";

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

/** Counts a list of evidence by its status. */
export function countEvidence(evidence: readonly { readonly standing: keyof EvidenceCounts }[]): EvidenceCounts {
  const count = (status: keyof EvidenceCounts): number => evidence.filter((one) => one.standing === status).length;
  return { found: count("found"), agrees: count("agrees"), differs: count("differs"), word: count("word") };
}
