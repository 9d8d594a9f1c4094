import type { CompleteCommand } from "./command.ts";
import type { Situation } from "./decide.ts";
import { asideMeant, completeAside } from "./decide-aside.ts";
import { barredByOrder, nextUnfinished } from "./decide-open.ts";
import { mergeHandedIn, type StepState } from "./desk.ts";
import { secondsBetween } from "./duration.ts";
import type { Event, HandedIn, StepRef } from "./events.ts";
import { type Earlier, findGaps } from "./gate.ts";
import type { Decision } from "./outcome.ts";
import { aheadOf, currentRef, noWorkflow, openRef, refuse, unknownStep } from "./refusals.ts";
import { following, inFocus, isFinished, locate, type Place } from "./route.ts";
import { type Problem, problemText, type Step } from "./workflow.ts";

/** Decides whether a step counts as done: what is meant, whether it is open, what its gate demands, and whether a person agreed. */
export function decideComplete(command: CompleteCommand, situation: Situation): Decision {
  const { plan, desk, caller } = situation;
  const aside = asideMeant(command, situation);
  if (aside !== undefined) return completeAside(command, aside, situation);

  const opened = command.step === undefined && command.workflow === undefined ? caller.opened : null;
  const asked = command.workflow ?? opened?.workflow;
  const workflow = asked === undefined ? inFocus(plan, desk) : plan.workflows.find(({ name }) => name === asked);
  if (workflow === undefined) return noWorkflow(plan, asked);
  const place = locate(desk, workflow);
  // What this connection opened, or a person agreed to, is what counts: another attempt is another's.
  const meant = command.agreed ?? opened;
  if (meant !== null) {
    const state = place.run.steps.get(meant.step);
    const same = place.run.pass === meant.pass && state?.attempt === meant.attempt;
    if (!same || state.status !== "started") return alreadyMoved(command, meant, place, situation);
  }
  const name = command.step ?? opened?.step ?? startedStep(place);
  if (name === undefined) return replayed(command, desk.lastCompleted, place, situation) ?? nothingStarted(place);
  if (!place.steps.some((step) => step.name === name)) return unknownStep(name, place, plan);

  const barred = barredByOrder(workflow, situation);
  if (barred !== null) return barred;
  const state = place.run.steps.get(name);
  const { current } = place;
  if (current === null || current.name !== name || state?.status !== "started") {
    const ref = { workflow: place.run.workflow, pass: place.run.pass, step: name, attempt: state?.attempt ?? 1 };
    if (state?.status === "completed") return alreadyMoved(command, ref, place, situation);
    if (current?.name === name) return notOpened(name, place);
    return aheadOf(name, place, situation);
  }
  return closeStep(command, current, state, place, situation);
}

/** Counts an open step as done if its gate holds and, where one must, a person agreed. */
export function closeStep(
  command: Omit<CompleteCommand, "kind">,
  step: Step,
  state: StepState,
  place: Place,
  situation: Situation,
): Decision {
  const { run, workflow } = place;
  const { plan, desk, caller, now } = situation;
  const stamp = { at: now, by: caller.id };
  const ref: StepRef = { workflow: run.workflow, pass: run.pass, step: step.name, attempt: state.attempt };
  const handed = mergeHandedIn(state.handed, command.handed);
  // Evidence counts whole: what a gate turned down is handed in again with the rest.
  const { evidence: _, ...rest } = command.handed;
  const kept = (given: HandedIn): Event[] =>
    isNew(given, state.handed) ? [{ type: "handed_in", ...stamp, ...ref, ...given }] : [];

  const blocked = gateRefusal(command, step, handed, place);
  if (blocked !== null && blocked.outcome.kind === "refused") {
    const { error: code, missing_evidence: gaps } = blocked.outcome.refusal;
    const { workflow, step: name } = ref;
    return {
      ...blocked,
      events: [
        ...kept(gaps === undefined ? command.handed : rest),
        { type: "refused", ...stamp, workflow, step: name, code, ...(gaps ? { gaps } : {}) },
      ],
    };
  }
  const auto = step.auto && step.gate?.approval !== true;
  const word = auto ? ({ level: "auto" } as const) : command.word;
  if (word === undefined)
    return { events: kept(command.handed), outcome: { kind: "awaiting", ref, handed }, warnings: [] };

  const next = following(place, step.name);
  const isEnd = next === null && workflow.closed === undefined;
  // Where a definition is broken nothing is handed on: its word on what follows cannot be read, or would lead nowhere.
  const problem = step.broken ?? (next === null ? workflow.closed : unopenable(next, place));
  const said =
    problem !== undefined || next === null ? null : { step: next.name, workflow: workflow.name, auto: step.auto };
  const warnings =
    problem === undefined || isEnd
      ? []
      : [`${step.name} is completed, but nothing is said of what follows: ${problem.message} (${problem.file}).`];
  const completed: Event = {
    type: "completed",
    ...stamp,
    ...ref,
    ...handed,
    duration: secondsBetween(state.startedAt, now),
    word,
    fingerprint: command.fingerprint,
    successor: next?.name ?? null,
    next: said,
    ...(warnings.length === 0 ? {} : { warnings }),
    finished: isEnd,
    ...(command.violations === undefined ? {} : { violations: command.violations }),
  };
  const events = [completed, ...skippedBetween(step, next, place, stamp)];
  if (isEnd) {
    const nextWorkflow = nextUnfinished(plan, workflow, (candidate) => isFinished(desk, candidate));
    return { events, outcome: { kind: "finished", workflow: workflow.name, ref, nextWorkflow, handed }, warnings };
  }
  return { events, outcome: { kind: "completed", ref, handed, next: said }, warnings };
}

function unopenable({ name, broken }: Step, { run }: Place): Problem | undefined {
  return run.steps.has(name) ? undefined : broken;
}

/** The steps that their author lets pass before the next one: on record as soon as they are passed. */
function skippedBetween(
  step: Step,
  next: Step | null,
  { run, steps }: Place,
  stamp: { at: string; by: string },
): Event[] {
  const to = next === null ? steps.length : steps.indexOf(next);
  return steps.slice(steps.indexOf(step) + 1, to).flatMap(({ name, skip }): Event[] => {
    if (skip === undefined || run.steps.has(name)) return [];
    return [{ type: "skipped", ...stamp, workflow: run.workflow, pass: run.pass, step: name, reason: skip }];
  });
}

/** What the completed phases of a run put on record; the steps of a bot have no numbers to be named by. */
function earlierIn({ steps }: Place["run"]): Earlier {
  const completed = [...steps].filter(([, { status }]) => status === "completed");
  return new Map(completed.map(([name, { handed }]) => [Number(name), handed.evidence ?? {}]));
}

function gateRefusal(
  command: Omit<CompleteCommand, "kind">,
  step: Step,
  handed: HandedIn,
  place: Place,
): Decision | null {
  const { gate, title = step.name } = step;
  if (gate === undefined) return null;
  if (gate.closed !== undefined) {
    return refuse(place, currentRef(place), {
      error: "invalid_definition",
      message: `The gate of ${title} cannot be read, so it stays closed: ${problemText(gate.closed)}.`,
      required_action: `Mend ${gate.closed.file}, then complete ${title} again.`,
    });
  }
  const missing = findGaps(gate, handed.evidence ?? {}, command.observed ?? new Map(), earlierIn(place.run));
  if (missing.length > 0) {
    return refuse(place, currentRef(place), {
      error: "incomplete_checkpoint",
      message: `Complete checkpoint requirements to proceed`,
      required_action: `Complete ${title} again with the missing evidence.`,
      missing_evidence: missing,
    });
  }
  const errors = (command.violations ?? []).filter(({ severity }) => severity === "error");
  if (gate.rulesHold && errors.length > 0) {
    const first = errors
      .slice(0, 3)
      .map(({ rule, file, line, message }) => `${rule} in ${file}${line === undefined ? "" : `:${line}`} (${message})`);
    return refuse(place, currentRef(place), {
      error: "check_failed",
      message: `${title} is not done: ${errors.length} rule violation(s), ${first.join("; ")}.`,
      required_action: `Mend the files named, hand them in again as content, and complete ${title} again.`,
    });
  }
  return null;
}

function alreadyMoved(command: CompleteCommand, ref: StepRef, place: Place, situation: Situation): Decision {
  const isMine =
    place.run.steps.get(ref.step)?.completion?.by === situation.caller.id || situation.caller.opened === null;
  const answer = isMine ? replayed(command, ref, place, situation) : undefined;
  return (
    answer ??
    refuse(place, openRef(place), {
      error: "conflict",
      message: `${ref.step} is no longer open here: it was completed or begun anew meanwhile, and ${place.workflow.name} now stands at ${place.current?.name ?? "its end"}.`,
      required_action: `Call the bot's tool to go where the work stands; to do ${ref.step} again, open it with resume "retry".`,
    })
  );
}

/** The answer that a completion already got, for the same call sent again after a lost reply. */
export function replayed(
  command: Pick<CompleteCommand, "fingerprint">,
  ref: StepRef | null,
  place: Place,
  { plan, desk }: Situation,
): Decision | undefined {
  if (ref === null || ref.workflow !== place.workflow.name || ref.pass !== place.run.pass) return undefined;
  const state = place.run.steps.get(ref.step);
  const completion = state?.completion;
  if (state?.status !== "completed" || state.attempt !== ref.attempt) return undefined;
  if (completion?.fingerprint !== command.fingerprint) return undefined;
  const { handed } = state;
  const { next, warnings, violations } = completion;
  const checked = violations === undefined ? {} : { violations };
  if (completion.finished) {
    const nextWorkflow = nextUnfinished(plan, place.workflow, (candidate) => isFinished(desk, candidate));
    const outcome = { kind: "finished", workflow: place.workflow.name, ref, nextWorkflow, handed, ...checked } as const;
    return { events: [], outcome, warnings };
  }
  return { events: [], outcome: { kind: "completed", ref, handed, next, ...checked }, warnings };
}

function notOpened(name: string, place: Place): Decision {
  return refuse(place, openRef(place), {
    error: "action_sequence_violation",
    message: `${name} is not open: nobody has started it.`,
    required_action: `Open ${name} first with its behavior's tool, do its work, then complete it.`,
  });
}

function nothingStarted(place: Place): Decision {
  return refuse(place, openRef(place), {
    error: "action_sequence_violation",
    message: `Nothing is started in ${place.workflow.name}, so there is nothing to complete.`,
    required_action: `Call the bot's tool to open ${place.current?.name ?? "the next action"} first.`,
  });
}

function startedStep({ current, run }: Place): string | undefined {
  return current !== null && run.steps.get(current.name)?.status === "started" ? current.name : undefined;
}

/** What was handed in before needs no second record: an asking client sends everything again. */
function isNew(later: HandedIn, before: HandedIn): boolean {
  return JSON.stringify(mergeHandedIn(before, later)) !== JSON.stringify(mergeHandedIn({}, before));
}
