import { canonical } from "../../kit/json.ts";
import type { StepState, StreamSnapshot } from "../../workflow/stream-snapshot.ts";
import type { EvidenceCounts, ShownEvidence } from "./evidence-text.ts";

/** Compares the evidence with what checks found; a field without a check is only claimed. */
export function compareEvidence({
  submitted,
  checks = [],
}: Pick<StepState, "submitted" | "checks">): readonly ShownEvidence[] {
  const found = new Map(
    checks.flatMap(({ name, found: own = {} }) =>
      Object.entries(own).map(([field, value]) => [field, { check: name, value }] as const),
    ),
  );
  const evidence = submitted.evidence ?? {};
  const claimed = Object.entries(evidence).map(([field, value]): ShownEvidence => {
    const fact = found.get(field);
    if (fact === undefined) return { field, value, standing: "word" };
    const { check } = fact;
    return canonical(fact.value) === canonical(value)
      ? { field, value, standing: "agrees", check }
      : { field, value, standing: "differs", check, found: fact.value };
  });
  const only = [...found].filter(([field]) => !Object.hasOwn(evidence, field));
  return [
    ...claimed,
    ...only.map(([field, { check, value }]): ShownEvidence => ({ field, value, standing: "found", check })),
  ];
}

/** Counts the evidence of a step by its status; what a failed check found counts until the next submission. */
export function countEvidence({
  submitted,
  checks = [],
  failedChecks = [],
  refusedCode,
}: Pick<StepState, "submitted" | "checks" | "failedChecks" | "refusedCode">): EvidenceCounts {
  const failed = refusedCode === undefined ? [] : failedChecks;
  const compared = compareEvidence({ submitted, checks: [...failed, ...checks] });
  return sumOf(compared.map(({ standing }) => ({ ...noEvidence, [standing]: 1 })));
}

/** Counts the evidence of every step that is done or open in the latest passes. */
export function countRunEvidence({ runs }: Pick<StreamSnapshot, "runs">): EvidenceCounts {
  const steps = [...runs.values()].flatMap((run) => [...run.steps.values()]);
  const own = steps.filter(({ status }) => status === "completed" || status === "started");
  return sumOf(own.map(countEvidence));
}

const noEvidence: EvidenceCounts = { found: 0, agrees: 0, differs: 0, word: 0 };

function sumOf(counts: readonly EvidenceCounts[]): EvidenceCounts {
  const sum = { ...noEvidence };
  for (const one of counts) {
    sum.found += one.found;
    sum.agrees += one.agrees;
    sum.differs += one.differs;
    sum.word += one.word;
  }
  return sum;
}
