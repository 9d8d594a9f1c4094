import { runCli } from "./command-line.ts";
import { addWorkflow, callPhase, evidenceFor } from "./phased.ts";
import { makeProject, type Project } from "./project.ts";
import { wholeOr } from "./whole.ts";
import { type Era, eras, openWindow, type Person, type Window } from "./window.ts";

/** The two kinds of step, both of which wait for a person's word in these projects: an action of a bot, and a phase. */
export type Kind = "action" | "phase";
export const kinds: readonly Kind[] = ["action", "phase"];

/** Every kind of step in every protocol. */
const everyWay: readonly (readonly [Kind, Era])[] = kinds.flatMap((kind) => eras.map((era) => [kind, era] as const));

/** Every way under `npm run test:all`; else each kind and each protocol once. */
export const someWays = wholeOr(
  everyWay,
  everyWay.filter(([kind, era]) => (kind === kinds[0]) === (era === eras[0])),
);

/** What became of a hand-in, in words that both kinds share; any other code as it is. */
export type HandedBack = {
  readonly verdict: "completed" | "waits" | "rejected" | string;
  readonly kept?: { outputs: string[]; content: { path: string; bytes: number }[] };
  readonly isError: boolean;
  /** The whole answer as JSON, for what may stand anywhere in it. */
  readonly said: string;
};

export type Hands = {
  readonly window: Window;
  /** Hands something in at the first step; the evidence that its gate asks for goes with it, unless other is given. */
  handIn(args?: Record<string, unknown>): Promise<HandedBack>;
};

/** A project in which the first step waits for a person, seen through windows. */
export type Place = {
  readonly project: Project;
  /** The step's name, as a person is told it. */
  readonly step: string;
  open(options?: { era?: Era; person?: Person }): Promise<Hands>;
  /** Whether the first step is still the one to do, with nothing completed. */
  stands(): boolean;
  /** The outputs that the completed step has on record. */
  outputs(): Promise<Record<string, unknown>>;
  /** The word by which the step was completed. */
  word(): Promise<{ level?: string } & Record<string, unknown>>;
  /** The log's row of the completion, as JSON. */
  completion(): Promise<string>;
  /** What the log has besides what was started and completed. */
  events(): Promise<Record<string, unknown>[]>;
};

/** A place of its own for one test. */
export function placeOf(kind: Kind, { prepare = (_: Project): void => undefined } = {}): Place {
  const project = makeProject();
  if (kind === "phase") addWorkflow(project, { phases: 3, approval: [1] });
  prepare(project);
  let session_id = "";
  const log = async (): Promise<Record<string, unknown>[]> => {
    const rows: Record<string, unknown>[] = JSON.parse(
      (await runCli(["log", "--json", "--root", project.root])).stdout,
    );
    return rows.filter(({ session }) => (kind === "phase" ? session === session_id : session === undefined));
  };
  const completed = async (): Promise<Record<string, unknown>> =>
    (await log()).find(({ action_state }) => action_state === "completed") ?? {};
  return {
    project,
    step: kind === "phase" ? "Phase 1" : "gather_context",
    async open(options = {}) {
      const window = await openWindow(project.root, options);
      if (kind === "action") {
        await window.call("story_bot");
        return { window, handIn: async (args = {}) => handedBack(await window.call("complete_action", args)) };
      }
      const start = { workflow_type: "survey", target_file: "src/a.ts" };
      ({ session_id } = await callPhase(window, "start_workflow", start));
      const status = { phase: 1, evidence: evidenceFor(1) };
      return {
        window,
        handIn: async (args = {}) =>
          handedBack(await callPhase(window, "complete_phase", { session_id, ...status, ...args })),
      };
    },
    stands() {
      if (kind === "action") return project.state().completed_actions.length === 0;
      const { current_phase, completed_phases } = project.json(`.waymark/sessions/${session_id}.json`);
      return current_phase === 1 && Array.isArray(completed_phases) && completed_phases.length === 0;
    },
    async outputs() {
      if (kind === "action") return (await completed()).outputs as Record<string, unknown>;
      const artifacts = project.json(`.waymark/sessions/${session_id}.json`).phase_artifacts;
      return (artifacts as Record<string, { outputs: Record<string, unknown> }>)["1"]?.outputs ?? {};
    },
    word: async () => (await completed()).word as Record<string, unknown>,
    completion: async () => JSON.stringify(await completed()),
    events: async () => (await log()).filter(({ event }) => event !== undefined),
  };
}

function handedBack(answer: object & { readonly isError: boolean }): HandedBack {
  const { text: _, ...data } = { text: "", ...answer };
  const { status, error, checkpoint_passed, kept } = data as {
    status?: string;
    error?: string;
    checkpoint_passed?: boolean;
    kept?: HandedBack["kept"];
  };
  const verdict = (): string => {
    if (status === "awaiting_human" || error === "approval_required") return "waits";
    if (error === "approval_rejected") return "rejected";
    if (error !== undefined) return error;
    return checkpoint_passed === true || status === "workflow_complete" ? "completed" : (status ?? "unclear");
  };
  return { verdict: verdict(), isError: answer.isError, said: JSON.stringify(data), ...(kept ? { kept } : {}) };
}
