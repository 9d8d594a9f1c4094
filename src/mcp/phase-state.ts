import type { StaleProof } from "../engine/ports.ts";
import { stalePhases } from "../words/checks.ts";
import { saidInWords } from "../words/notices.ts";
import { phaseRefusal } from "../words/phases.ts";
import type { SessionView } from "../words/session-view.ts";
import type { Said } from "../workflow/notice.ts";
import { artifactPages } from "./artifact-pages.ts";
import { fitWarnings } from "./fit.ts";
import { fitArtifacts } from "./fit-artifacts.ts";
import { artifactsUri, nextStep, type PhaseAnswer } from "./phase-reply.ts";

/** How the current phase stands to people: since when it waits for one, or what one said no to. */
export type Waiting = { readonly waiting_since?: string; readonly rejection?: string };

/** What `get_workflow_state` answers for one session. */
export function stateAnswer(
  view: SessionView,
  warnings: readonly Said[],
  stale: readonly StaleProof[],
  waits: Waiting = {},
): PhaseAnswer {
  const { artifacts, trimmed } = fitArtifacts(view.phase_artifacts);
  return {
    ...(waits.rejection === undefined ? {} : { message: waits.rejection }),
    ...view,
    phase_artifacts: artifacts,
    ...(trimmed ? { artifacts_resource: artifactsUri(view.session_id) } : {}),
    ...(stale.length === 0 ? {} : { stale: stalePhases(stale) }),
    ...(waits.waiting_since === undefined ? {} : { waiting_since: waits.waiting_since }),
    next_step: nextStep(view),
    warnings: inWords(view, warnings),
  };
}

/** What it answers for one completed phase: all that the phase produced, a page at a time. */
export function pageAnswer(view: SessionView, phase: number, page: number, warnings: readonly Said[]): PhaseAnswer {
  const { session_id, phase_artifacts } = view;
  const artifact = phase_artifacts[phase];
  const said = inWords(view, warnings);
  if (artifact === undefined) {
    const at = view.workflow_complete ? null : String(view.current_phase);
    const no = phaseRefusal({ kind: "ahead", step: String(phase), workflow: view.workflow_type, at }, view, false);
    return { ...no, session_id, current_phase: view.current_phase, warnings: said };
  }
  const pages = artifactPages(artifact);
  const place = { session_id, phase_number: phase, page, total_pages: pages.length };
  const text = pages[page - 1];
  if (text === undefined)
    return {
      error: "invalid_input",
      message: `Not taken: Phase ${phase} has no page ${page}.`,
      required_action: `Use a page from 1 to ${pages.length}.`,
      session_id,
      warnings: said,
    };
  if (pages.length === 1) return { ...place, phase_artifacts: { [phase]: { ...artifact } }, warnings: said };
  return { ...place, ...(page < pages.length ? { next_page: page + 1 } : {}), page_text: text, warnings: said };
}

/** So many sessions are listed. */
export const mostInList = 20;

/** What it answers without a session: the list, the one that changed last first, and what is to be said of any. */
export function listAnswer(views: readonly SessionView[], rest: number, warnings: readonly string[]): PhaseAnswer {
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
  const older = rest > 0 ? [`And ${rest} older ones: run waymark status.`] : [];
  return { sessions: shown, warnings: [...older, ...fitWarnings(warnings)] };
}

function inWords({ session_id: name }: SessionView, warnings: readonly Said[]): string[] {
  return fitWarnings(saidInWords(warnings, { kind: "session", name }));
}
