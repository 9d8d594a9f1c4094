import type { OpenStepReview } from "../../../engine/open-steps.ts";
import type { SubmissionReview } from "../../../engine/submissions.ts";
import { anyApproval } from "../../../gates/approval-rule.ts";
import { waivableNames } from "../../../gates/waiver.ts";
import { defined } from "../../../kit/defined.ts";
import { responseCommands } from "../../../messages/blocked-texts.ts";
import { runLabel, stepTitle } from "../../../messages/stream-words.ts";
import { droppableItems } from "../../../workflow/items.ts";
import type { StreamId } from "../../../workflow/stream-id.ts";
import type { BlockedReport } from "../../../workflow/stream-snapshot.ts";
import { recordedWaivers } from "../../../workflow/waivers.ts";
import { compareEvidence } from "../../overview/evidence.ts";
import type { SubmissionContext } from "../../overview/submission-context.ts";
import type { ReviewData, ShownFile, ShownReport } from "./page-data.ts";
import type { ApproverCandidate, ReviewPageDeps } from "./review-page-deps.ts";

/** Collects a submission for the page, or what is still known if it is gone. */
export function reviewData(
  { engine: { id }, ref, project, unsigned = false }: ReviewPageDeps,
  submission: SubmissionReview | undefined,
  open: OpenStepReview | undefined,
  about: SubmissionContext,
  candidates: readonly ApproverCandidate[],
): ReviewData {
  const { state, waits, violations = [] } = submission ?? {};
  const needs = waits?.needs ?? open?.needs ?? anyApproval;
  const report = open?.state.blocked;
  const { level, by, count, question } = needs;
  return {
    kind: "judging",
    project,
    run: reviewRunTitle(id, ref.workflow, about.target),
    step: stepTitle(id, { step: ref.step, title: about.title }),
    attempt: ref.attempt,
    since: report?.since ?? waits?.since ?? state?.completion?.at ?? state?.startedAt ?? "",
    standing:
      report !== undefined
        ? "blocked"
        : waits !== undefined
          ? "waits"
          : state?.status === "completed"
            ? "completed"
            : "over",
    ...(open === undefined || report === undefined ? {} : { blocked: shownReport(id, open, report, unsigned) }),
    waived: state === undefined ? [] : recordedWaivers(state),
    digest: waits?.digest ?? "",
    needs: { level, count, ...defined({ by }) },
    ...defined({ question: waits === undefined ? undefined : question }),
    given: (waits?.given ?? []).map(({ person, at, comment }) => ({
      name: person?.name ?? "a person at a terminal",
      at,
      ...defined({ comment }),
    })),
    outputs: state?.submitted.outputs ?? {},
    evidence: state === undefined ? [] : compareEvidence(state),
    files: submission === undefined ? [] : filesOf(submission),
    earlier: waits === undefined ? [] : about.earlier.slice(0, maxEarlierFiles),
    rules: violations.map(({ rule, severity, file, line, message }) => ({
      ...{ rule, severity, file, message },
      ...defined({ line }),
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

function shownReport(
  id: StreamId,
  { ref, state, gate, needs, routed, continuations, outcomes }: OpenStepReview,
  { reason, bound }: BlockedReport,
  unsigned: boolean,
): ShownReport {
  const isAtBound = bound !== undefined;
  const isProven = needs.level === "proven";
  const signs = { answer: !unsigned || (isAtBound && isProven), waive: !unsigned || isProven };
  return {
    reason,
    isAtBound,
    ...{ routed, continuations, outcomes },
    waivable: isAtBound ? [] : [...droppableItems(state), ...waivableNames(gate)].slice(0, maxWaivable),
    commands: responseCommands(id, ref, isAtBound),
    signs,
  };
}

/** The number of names listed that can be waived. */
const maxWaivable = 100;

function filesOf({ files, waits }: SubmissionReview): readonly ShownFile[] {
  return files.map((file): ShownFile => {
    const { path } = file;
    if (!("text" in file)) return { path, problem: file.problem };
    const before = waits?.before.get(path);
    return { path, isNew: file.isNew, text: file.text, ...defined({ before }) };
  });
}

/** The number of earlier files listed. */
const maxEarlierFiles = 60;

/** Names a run for people; a session by its target and id. */
function reviewRunTitle(id: StreamId, workflow: string, target: string | undefined): string {
  const name = runLabel(id, workflow);
  if (target !== undefined) return `${target} (${name})`;
  return id.run === undefined ? name : `${name} (run ${id.run})`;
}
