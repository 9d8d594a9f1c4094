import type { VNode } from "preact";
import { type EvidenceCounts, evidenceCountText } from "../../overview/evidence-text.ts";

/** A bar and a label for how much of the evidence is claimed, verified and waived. */
export function EvidenceBar({
  looked,
  waived,
  isShort,
}: {
  readonly looked: EvidenceCounts;
  readonly waived?: number | undefined;
  /** Says only how much of it is verified. */
  readonly isShort?: boolean;
}): VNode {
  const all = looked.found + looked.agrees + looked.differs + looked.word;
  return (
    <span class="looked">
      <EvidenceMeter looked={looked} />
      <span>
        {isShort === true ? shortText(looked.found + looked.agrees, all) : evidenceCountText(looked)}
        {waived === undefined ? "" : ` · ${waived} waived`}
      </span>
    </span>
  );
}

/** The bar alone: contradicted, verified, claimed and verified, only claimed. */
export function EvidenceMeter({ looked }: { readonly looked: EvidenceCounts }): VNode | null {
  const parts = [
    ["differs", looked.differs],
    ["found", looked.found],
    ["agrees", looked.agrees],
    ["word", looked.word],
  ] as const;
  const all = parts.reduce((sum, [, count]) => sum + count, 0);
  if (all === 0) return null;
  return (
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
  );
}

function shortText(verified: number, all: number): string {
  return all === 0 ? "–" : `${verified} of ${all}`;
}

/** Counts a list of evidence by its status. */
export function countEvidence(evidence: readonly { readonly standing: keyof EvidenceCounts }[]): EvidenceCounts {
  const count = (status: keyof EvidenceCounts): number => evidence.filter((one) => one.standing === status).length;
  return { found: count("found"), agrees: count("agrees"), differs: count("differs"), word: count("word") };
}
