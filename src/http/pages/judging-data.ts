import type { HandIn } from "../../engine/hand-ins.ts";
import type { DeskId } from "../../engine/ports.ts";
import { anyWord } from "../../evidence/approval.ts";
import { canonical } from "../../evidence/json.ts";
import type { AboutHandIn } from "../../overview/about-hand-in.ts";
import { stepLabel } from "../../overview/step-label.ts";
import type { Candidate, JudgingParts } from "./judging.ts";
import type { JudgingData, ShownEvidence, ShownFile } from "./page-data.ts";

/** A hand-in as the page shows it, whole; where it is gone, what is still known. */
export function judgingData(
  { engine: { id }, ref, project }: JudgingParts,
  handIn: HandIn | undefined,
  about: AboutHandIn,
  candidates: readonly Candidate[],
): JudgingData {
  const { state, waits, violations = [] } = handIn ?? {};
  const needs = waits?.needs ?? anyWord;
  const { level, by, count } = needs;
  return {
    kind: "judging",
    project,
    run: runTitle(id, ref.workflow, about.target),
    step: id.kind === "session" ? stepLabel("session", { ...ref, title: about.title }) : ref.step,
    attempt: ref.attempt,
    since: waits?.since ?? state?.completion?.at ?? state?.startedAt ?? "",
    standing: waits !== undefined ? "waits" : state?.status === "completed" ? "completed" : "over",
    digest: waits?.digest ?? "",
    needs: { level, count, ...(by === undefined ? {} : { by }) },
    given: (waits?.given ?? []).map(({ person, at, comment }) => ({
      name: person?.name ?? "a person at a terminal",
      at,
      ...(comment === undefined ? {} : { comment }),
    })),
    outputs: state?.handed.outputs ?? {},
    evidence: state === undefined ? [] : evidenceOf(state),
    files: handIn === undefined ? [] : filesOf(handIn),
    earlier: waits === undefined ? [] : about.earlier.slice(0, mostEarlier),
    rules: violations.map(({ rule, severity, file, line, message }) => ({
      ...{ rule, severity, file, message },
      ...(line === undefined ? {} : { line }),
    })),
    checks: (state?.checks ?? []).map(({ name, status, summary, output }) => ({
      ...{ name, status, summary },
      ...(status === "failed" && output !== undefined ? { output } : {}),
    })),
    people: candidates.flatMap(({ approver: { kind, name, key }, trusted }) =>
      kind === "passkey" && (by === undefined || by.includes(name)) ? [{ name, key, trusted }] : [],
    ),
  };
}

/** The evidence with what checks found beside it: whatever none of them speaks of is only claimed. */
export function evidenceOf({
  handed,
  checks = [],
}: Pick<HandIn["state"], "handed" | "checks">): readonly ShownEvidence[] {
  const found = new Map(
    checks.flatMap(({ name, found: own = {} }) =>
      Object.entries(own).map(([field, value]) => [field, { check: name, value }] as const),
    ),
  );
  const evidence = handed.evidence ?? {};
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

function filesOf({ files, waits }: HandIn): readonly ShownFile[] {
  return files.map((file): ShownFile => {
    const { path } = file;
    if (!("text" in file)) return { path, problem: file.problem };
    const before = waits?.before.get(path);
    return { path, isNew: file.isNew, text: file.text, ...(before === undefined ? {} : { before }) };
  });
}

/** So many files of earlier steps are named. */
const mostEarlier = 60;

/** A session by what it is about, beside its id. */
function runTitle({ kind, name, run }: DeskId, workflow: string, target: string | undefined): string {
  if (kind === "session") return target === undefined ? name : `${target} (${name})`;
  return run === undefined ? `${name}.${workflow}` : `${name}.${workflow} (run ${run})`;
}
