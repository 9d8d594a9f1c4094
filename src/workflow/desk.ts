import type { CheckResult } from "../evidence/check.ts";
import type { JsonObject } from "../evidence/json.ts";
import type {
  Answered,
  CompletedEntry,
  ContentRecord,
  HandedIn,
  Next,
  SessionFacts,
  StepRef,
  Violation,
} from "./events.ts";
import type { Said } from "./notice.ts";
import { type Own, owning } from "./owning.ts";
import { stepKey } from "./step-ref.ts";

/** How one step of a run stands. */
export type StepState = {
  readonly attempt: number;
  readonly status: "started" | "completed" | "skipped" | "vouched" | "superseded";
  readonly startedAt: string;
  /** The callers that opened this attempt. */
  readonly openedBy: readonly string[];
  /** When a caller went on with it last, where one did. */
  readonly resumedAt?: string;
  /** The callers that found it open and were shown it. */
  readonly metBy?: readonly string[];
  readonly successor?: string | null;
  readonly gated: boolean;
  /** What may be changed while it is open, as it was said when it was opened. */
  readonly edits?: readonly string[];
  readonly handed: HandedIn;
  /** What the checks of this attempt came to, the newest of each. */
  readonly checks?: readonly CheckResult[];
  /** Those that failed at earlier tries, the newest of each: they have been told of, and are run again. */
  readonly failed?: readonly CheckResult[];
  /** Why the last try to complete it was turned down: a code. */
  readonly turnedDown?: string;
  /** How its gate has turned it down in this attempt. */
  readonly refused?: Refused;
  /** The program that this attempt was opened with. */
  readonly client?: string;
  /** What was handed in last, and since when it waits for a person. */
  readonly waiting?: { readonly since: string; readonly digest?: string; readonly fingerprint?: string };
  /** The yeses that people gave elsewhere in this attempt, and that nobody has taken back by a no. */
  readonly approvals?: readonly GivenApproval[];
  /** Of the statements that people signed in this attempt: each counts once. */
  readonly nonces?: readonly string[];
  /** What a person said no to last, until something else is handed in. */
  readonly rejected?: Rejected;
  /** The hand-ins that a person was asked about to no avail, and by whom. */
  readonly asked?: readonly AskedInVain[];
  readonly completion?: Completion;
  /** The attempt that this one was begun in place of, while it was still open: by whom it was held, and what was handed in. */
  readonly before?: { readonly attempt: number; readonly heldBy: readonly string[]; readonly handed: HandedIn };
};

/** How often a gate has said no: in all, and since it last let the work through; what was wanting at last, and whether just that was before. */
export type Refused = {
  readonly times: number;
  readonly inARow: number;
  readonly lacked: readonly string[];
  readonly same?: true;
};

/** A hand-in that a person was asked about, and nobody answered. */
export type AskedInVain = { readonly digest: string; readonly by: string };

/** A yes that a person gave elsewhere, as it is on record. */
export type GivenApproval = Answered & {
  readonly at: string;
  readonly digest: string;
  readonly level: "elicited" | "proven";
  readonly comment?: string;
  readonly expires: string;
};

/** A no of a person, with what it was said to. */
export type Rejected = Declined & { readonly at: string; readonly by?: string };

/** A hand-in that a person has said no to. */
export type Declined = { readonly digest: string; readonly reason?: string };

/** What completing a step came to. */
export type Completion = {
  readonly at: string;
  readonly by: string;
  readonly fingerprint: string;
  /** The hand-in that a person approved elsewhere, whatever word is sent with it. */
  readonly approved?: string;
  readonly finished: boolean;
  readonly next: Next | null;
  readonly notices: readonly Said[];
  readonly violations?: readonly Violation[];
};

/** One pass through one workflow. */
export type Run = { readonly workflow: string; readonly pass: number; readonly steps: ReadonlyMap<string, StepState> };

/** How a step outside the sequence stands. */
export type AsideState = {
  readonly status: "started" | "completed";
  readonly startedAt: string;
  readonly openedBy: string;
  readonly fingerprint?: string;
  readonly inputs?: JsonObject;
  readonly asked?: readonly AskedInVain[];
};

/** What the events of one desk add up to: derived, never stored. */
export type Desk = {
  /** The latest pass of each workflow. */
  readonly runs: ReadonlyMap<string, Run>;
  /** The highest pass ever begun, by workflow: a new beginning never reuses a number. */
  readonly passes: ReadonlyMap<string, number>;
  readonly focus: Focus | null;
  readonly completedCount: number;
  readonly recent: readonly CompletedEntry[];
  readonly asides: ReadonlyMap<string, AsideState>;
  readonly lastCompleted: StepRef | null;
  /** What people have said no to, by step: it holds for every attempt and pass, whatever becomes of the work meanwhile. */
  readonly declined: ReadonlyMap<string, readonly Declined[]>;
  /** What each of the latest callers stands at, the one that moved last at the end: what it opened and has not completed. */
  readonly standings: ReadonlyMap<string, readonly StepRef[]>;
  /** What the session is about, where the desk is one. */
  readonly session: SessionState | null;
  /** When a person put the work away. */
  readonly archivedAt: string | null;
  /** When anything was recorded last. */
  readonly changedAt: string | null;
  /** What was done last, the newest at the end: whoever comes back finds out what others did meanwhile. */
  readonly moves: readonly Move[];
  /** How many records claim that a person's key proves them: whoever audits looks at each. */
  readonly proven: number;
};

/** A change of the place: the how-manieth of its desk, by whom, and what became of which step. */
export type Move = {
  readonly number: number;
  readonly at: string;
  readonly by: string;
  readonly client?: string;
  readonly what: "opened" | "completed" | "went back to" | "edited to" | "archived";
  readonly workflow: string;
  readonly step: string;
  /** The people whose keys prove that they agreed to it. */
  readonly people?: readonly string[];
  /** What the person said who agreed to it. */
  readonly said?: string;
};

/** A session as a whole. */
export type SessionState = SessionFacts & {
  readonly beganAt: string;
  readonly changedAt: string;
};

/** The step that the desk is at, and since when. */
export type Focus = {
  readonly workflow: string;
  readonly step: string | null;
  readonly state: "started" | "completed";
  readonly timestamp: string;
};

export const emptyDesk: Desk = {
  runs: new Map(),
  passes: new Map(),
  focus: null,
  completedCount: 0,
  recent: [],
  asides: new Map(),
  lastCompleted: null,
  declined: new Map(),
  standings: new Map(),
  session: null,
  archivedAt: null,
  changedAt: null,
  moves: [],
  proven: 0,
};

/** A person's no to this very hand-in at this step, the newest; undefined where nobody has said one. */
export function declinedAt(desk: Desk, ref: StepRef, digest: string): Declined | undefined {
  return desk.declined.get(stepKey(ref))?.findLast((one) => one.digest === digest);
}

/** What is handed in so far at the open step that a caller means: of the workflow it names, else where it stands, else where the work is. */
export function handedSoFar(desk: Desk, caller: string, named?: string): HandedIn {
  const meant = [named, desk.standings.get(caller)?.at(-1)?.workflow, desk.focus?.workflow];
  const run = meant.flatMap((workflow) => desk.runs.get(workflow ?? "") ?? [])[0];
  return [...(run?.steps.values() ?? [])].find(({ status }) => status === "started")?.handed ?? {};
}

/** A step that needs no more work: done, passed over by its author, or vouched for by a person. */
export function isSatisfied(state: StepState | undefined): boolean {
  return state?.status === "completed" || state?.status === "skipped" || state?.status === "vouched";
}

/** The run that a workflow would begin now. */
export function freshRun(desk: Desk, workflow: string): Run {
  return { workflow, pass: (desk.passes.get(workflow) ?? 0) + 1, steps: new Map() };
}

/** Adds what is handed in later to what was handed in before: the later value of a name counts, and evidence counts as it was handed in last. */
export function mergeHandedIn(before: HandedIn, later: HandedIn, own: Own = owning()): HandedIn {
  const merged: { -readonly [Part in keyof HandedIn]: HandedIn[Part] } = {};
  const inputs = mergeValues(before.inputs, later.inputs, own);
  if (inputs !== undefined) merged.inputs = inputs;
  const outputs = mergeValues(before.outputs, later.outputs, own);
  if (outputs !== undefined) merged.outputs = outputs;
  const evidence = later.evidence ?? before.evidence;
  if (evidence !== undefined) merged.evidence = evidence;
  if ((before.content ?? later.content) === undefined) return merged;
  if (later.content === undefined || before.content === undefined) {
    const only = newestOf(later.content ?? before.content ?? []);
    if (only.length > 0) merged.content = only;
    return merged;
  }
  const content = own.list(before.content);
  const places = placesIn(content);
  for (const item of later.content) {
    const at = places.get(item.path) ?? content.length;
    content[at] = item;
    places.set(item.path, at);
  }
  merged.content = content;
  return merged;
}

function newestOf(content: readonly ContentRecord[]): readonly ContentRecord[] {
  const paths = new Map(content.map((item) => [item.path, item]));
  return paths.size === content.length ? content : [...paths.values()];
}

/** Where each path stands in a list that grows; the list of a desk that is being added up is asked again and again. */
function placesIn(content: readonly ContentRecord[]): Map<string, number> {
  const known = places.get(content);
  if (known?.size === content.length) return known;
  const found = new Map(content.map(({ path }, at) => [path, at]));
  places.set(content, found);
  return found;
}

const places = new WeakMap<readonly ContentRecord[], Map<string, number>>();

function mergeValues(before: JsonObject | undefined, later: JsonObject | undefined, own: Own): JsonObject | undefined {
  return before === undefined || later === undefined ? (later ?? before) : own.values(before, later);
}
