import type { StaleProof } from "../engine/ports/checks.ts";
import { defined } from "../kit/defined.ts";
import { warningTexts } from "../messages/notices.ts";
import { phaseRefusalMessage } from "../messages/phase-refusals.ts";
import { stalePhases } from "../messages/reply-checks.ts";
import type { Warning } from "../workflow/notice.ts";
import type { SessionView } from "../workflow/session-view.ts";
import { artifactPages } from "./artifact-pages.ts";
import { fitWarnings } from "./fit.ts";
import { fitArtifacts } from "./fit-artifacts.ts";
import { artifactsUri, nextStepText, type PhaseReply } from "./phase-reply.ts";

/** The current phase's wait for a person, what people said about it, and if it is done item by item. */
export type CurrentWait = { readonly waiting_since?: string; readonly lead?: string; readonly items?: true };

/** The reply of `get_workflow_state` for one session. */
export function stateReply(
  view: SessionView,
  warnings: readonly Warning[],
  stale: readonly StaleProof[],
  waits: CurrentWait = {},
): PhaseReply {
  const { artifacts, trimmed } = fitArtifacts(view.phase_artifacts);
  return {
    ...defined({ message: waits.lead }),
    ...view,
    phase_artifacts: artifacts,
    ...(trimmed ? { artifacts_resource: artifactsUri(view.session_id) } : {}),
    ...(stale.length === 0 ? {} : { stale: stalePhases(stale) }),
    ...defined({ waiting_since: waits.waiting_since }),
    next_step: waits.items
      ? `Read Phase ${view.current_phase} with get_phase_content: it lists its items and which are ready.`
      : nextStepText(view),
    warnings: sessionWarnings(view, warnings),
  };
}

/** Its reply for one completed phase: all artifacts, one page at a time. */
export function pageReply(view: SessionView, phase: number, page: number, warnings: readonly Warning[]): PhaseReply {
  const { session_id, phase_artifacts } = view;
  const artifact = phase_artifacts[phase];
  const said = sessionWarnings(view, warnings);
  if (artifact === undefined) {
    const at = view.workflow_complete ? null : String(view.current_phase);
    const no = phaseRefusalMessage(
      { kind: "ahead", step: String(phase), workflow: view.workflow_type, at },
      view,
      false,
    );
    return { ...no, session_id, current_phase: view.current_phase, warnings: said };
  }
  const pages = artifactPages(artifact);
  const place = { session_id, phase_number: phase, page, total_pages: pages.length };
  const text = pages[page - 1];
  if (text === undefined)
    return {
      error: "invalid_input",
      message: `Not accepted: Phase ${phase} has no page ${page}.`,
      required_action: `Use a page from 1 to ${pages.length}.`,
      session_id,
      warnings: said,
    };
  if (pages.length === 1) return { ...place, phase_artifacts: { [phase]: { ...artifact } }, warnings: said };
  return { ...place, ...(page < pages.length ? { next_page: page + 1 } : {}), page_text: text, warnings: said };
}

/** At most this many sessions are listed. */
export const maxListed = 10;

/** The sessions that are counted at most; the reply says that there are more. */
export const mostCounted = 100;

/** Its reply without a session: the list, most recently changed first, and warnings. */
export function listReply(views: readonly SessionView[], rest: number, warnings: readonly string[]): PhaseReply {
  const shown = views.map((view) => ({
    session_id: view.session_id,
    workflow_type: view.workflow_type,
    target_file: view.target_file,
    current_phase: view.current_phase,
    total_phases: view.total_phases,
    workflow_complete: view.workflow_complete,
    updated_at: view.updated_at,
    ...(view.archived === true ? { archived: true } : {}),
  }));
  const isMore = rest + views.length >= mostCounted;
  const older = rest > 0 ? [`And ${rest} ${isMore ? "or more " : ""}older ones: run waymark status.`] : [];
  return { sessions: shown, warnings: [...older, ...fitWarnings(warnings)] };
}

function sessionWarnings({ session_id: name }: SessionView, warnings: readonly Warning[]): string[] {
  return fitWarnings(warningTexts(warnings, { kind: "session", name }));
}
