import type { StandsAs } from "../../overview/stands-as.ts";
import type { JudgingData } from "../pages/page-data.ts";

/*
 * What the dashboard is told, and by which paths. Everything is asked with `Authorization: Bearer` and, where a server has
 * several projects, `?project=NAME`. `:key` is a run's `key`, encoded; it is looked up, never joined to a path.
 *
 *   GET  /api/page                        BoardHome       who looks, and what there is (kind: "board")
 *   GET  /api/runs                        RunList         every run, small
 *   GET  /api/runs/:key                   RunData         one run: map, attempts, sentence
 *   GET  /api/runs/:key/attempt           Attempt         ?workflow=&step=&pass=&attempt=: one attempt with what was handed in
 *   GET  /api/runs/:key/records           RecordWindow    ?from=SEQ&count=N (at most 500), oldest first; ?before=SEQ&count=N
 *   GET  /api/inbox                       InboxData       what waits for people, oldest first
 *   GET  /api/runs/:key/judging           JudgingData     ?workflow=&step=: one hand-in, whole
 *   POST /api/runs/:key/statement         StatementMade   { workflow, step } & StatementWanted
 *   POST /api/runs/:key/answer            AnswerTaken     { workflow, step } & PasskeyAnswer
 *   GET  /api/page?passkey                EnrolmentData   for an approver of a team: making a passkey of their own for this server
 *   POST /api/options, /api/enrol         EnrolmentOptions, Enrolled
 *   GET  /api/audit                       AuditData       every history: whole or broken; ?again=1 reads all of them anew first
 *   GET  /api/export                      the same as `waymark export --json`, as a download
 *   GET  /api/process                     ProcessData     definitions with their figures, and findings
 *   GET  /api/search                      SearchData      ?query=
 *   GET  /api/live                        LiveEvent       server-sent events, one stream a browser
 */

/** Who looks, and what there is to look at. */
export type BoardHome = {
  readonly kind: "board";
  /** The project that is shown, and the others that this person may see. */
  readonly project: string;
  readonly projects: readonly string[];
  readonly version: string;
  /** The person: their token's name and role; on their own machine neither. */
  readonly name?: string;
  readonly role?: "viewer" | "approver" | "author";
  /** Whether a passkey's answer is taken here from this person. */
  readonly approves: boolean;
};

/** How a run stands, in one word. */
export type { StandsAs };

/** Every run, the one that changed last first, and how many stand as what. */
export type RunList = {
  readonly runs: readonly RunRow[];
  readonly counts: Readonly<Record<StandsAs, number>>;
  /** Whether every history is whole, as far as this server has looked: null while it is looking. */
  readonly whole: boolean | null;
  readonly records: number;
  /** When this was true, by the server's clock. */
  readonly at: string;
};

/** One run in a list: small, whatever its history holds. */
export type RunRow = {
  readonly key: string;
  readonly kind: "bot" | "session";
  readonly title: string;
  /** The workflow of a session, or the bot's name. */
  readonly workflow: string;
  readonly run?: string;
  readonly stands: StandsAs;
  /** One text a workflow with one sign a step: d done, r done after a refusal, k skipped, o open, w waits, s stuck, n next, . to come. */
  readonly map: readonly { readonly workflow: string; readonly signs: string }[];
  /** The number of the first phase, of a session: the signs of its map are counted from it. */
  readonly first?: number;
  /** The step it is at, as people read it; absent where it is done. */
  readonly now?: RowStep;
  readonly refusals: number;
  readonly completed: number;
  readonly steps: number;
  readonly changed: string | null;
  readonly records: number;
  readonly head: string;
};

/** The step that a run is at. */
export type RowStep = {
  readonly workflow: string;
  readonly step: string;
  /** What people read: `Phase 5: Coverage plan`, `exploration · render_output`. */
  readonly label: string;
  readonly since?: string;
  readonly waitingSince?: string;
  /** For whom, in words. */
  readonly waitingFor?: string;
  readonly checkingSince?: string;
  readonly refused?: number;
  readonly missing?: readonly string[];
  readonly sameGaps?: true;
  readonly client?: string;
};

/** One run, whole but for its records. */
export type RunData = {
  readonly row: RunRow;
  /** How it stands, in a sentence. */
  readonly sentence: string;
  /** The map: for a bot a row a behavior, for a session one row. Of phases to come only the number is known. */
  readonly workflows: readonly MapRow[];
  /** Every attempt with its hand-ins and waits, oldest first; of a long history the newest 2,000, and how many are left out. */
  readonly attempts: readonly Attempt[];
  readonly attemptsLeftOut: number;
  readonly chain: ChainState;
  /** What is to be said of it: stale proofs, changed definitions, edits, what this machine has seen. */
  readonly warnings: readonly string[];
};

export type MapRow = {
  readonly workflow: string;
  readonly pass: number;
  readonly finished: boolean;
  readonly steps: readonly MapStep[];
};

/** One step on the map of a run. */
export type MapStep = {
  readonly step: string;
  /** What people read; of a phase to come its number. */
  readonly label: string;
  readonly sign: string;
  readonly since?: string;
  /** Seconds of work, without waiting for people, where it is done. */
  readonly work?: number;
  readonly handIns: number;
  readonly refused: number;
  readonly stale?: readonly { readonly check: string; readonly paths: readonly string[] }[];
  readonly missing?: readonly string[];
  readonly sameGaps?: true;
  readonly waitingFor?: string;
};

/** One attempt at a step, from its opening to its end. */
export type Attempt = {
  readonly workflow: string;
  readonly pass: number;
  readonly step: string;
  readonly label: string;
  readonly attempt: number;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly state: "open" | "completed" | "left" | "superseded";
  readonly client?: string;
  readonly handIns: readonly ShownHandIn[];
  /** In a long history: what was handed in is left out here, and told by `…/attempt`. */
  readonly isLean?: true;
  readonly waits: readonly { readonly from: string; readonly to?: string }[];
  /** On whose word it was completed: how it came, and what was said. */
  readonly word?: {
    readonly level: "auto" | "relayed" | "elicited" | "proven";
    readonly text?: string;
    readonly by?: readonly string[];
  };
};

/** One hand-in with what became of it. Values are cut: whole ones are in the inbox and in `waymark show`. */
export type ShownHandIn = {
  readonly number: number;
  readonly at: string;
  readonly endedAt?: string;
  readonly client?: string;
  readonly outcome: "checking" | "waits" | "refused" | "declined" | "replaced" | "completed";
  readonly code?: string;
  /** What was wanting, in words; and whether just that was the time before. */
  readonly missing?: readonly string[];
  readonly sameGaps?: true;
  readonly reason?: string;
  readonly evidence: readonly {
    readonly field: string;
    readonly value: unknown;
    readonly standing: "found" | "agrees" | "differs" | "word";
    readonly check?: string;
    readonly found?: unknown;
  }[];
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly content: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
  readonly checks: readonly {
    readonly name: string;
    readonly status: "passed" | "failed";
    readonly summary: string;
    readonly seconds?: number;
  }[];
  readonly violations: readonly {
    readonly rule: string;
    readonly file: string;
    readonly line?: number;
    readonly message: string;
  }[];
};

/** Whether a history is whole: by how many records, up to which hash; or where it breaks, and why. */
export type ChainState =
  | { readonly state: "whole"; readonly records: number; readonly head: string }
  | {
      readonly state: "broken";
      readonly records: number;
      readonly head: string;
      readonly seq: number;
      readonly reason: string;
      readonly accept?: boolean;
    }
  | { readonly state: "looking" };

/** Some records of a history. */
export type RecordWindow = {
  readonly records: readonly ShownRecord[];
  /** How many there are in all. */
  readonly total: number;
};

/** One record as a row: number, hash, and each event in a line of words. */
export type ShownRecord = {
  readonly seq: number;
  readonly hash: string;
  readonly events: readonly ShownEvent[];
};

export type ShownEvent = {
  readonly type: string;
  readonly at: string;
  /** What happened, as `waymark log` says it. */
  readonly text: string;
  readonly tone: "plain" | "good" | "warn" | "bad";
  readonly by?: string;
  readonly client?: string;
  readonly workflow?: string;
  readonly step?: string;
  readonly attempt?: number;
};

/** What waits for people. */
export type InboxData = { readonly items: readonly InboxItem[]; readonly at: string };

export type InboxItem = {
  readonly key: string;
  readonly title: string;
  readonly workflow: string;
  readonly step: string;
  readonly label: string;
  readonly since: string;
  readonly handIn: number;
  /** How far the evidence was looked at. */
  readonly looked: { readonly found: number; readonly agrees: number; readonly differs: number; readonly word: number };
  readonly needs: string;
  readonly summary: string;
};

/** Every history: whole or broken, its size and its end. */
export type AuditData = {
  readonly at: string;
  readonly histories: readonly AuditRow[];
  readonly problems: readonly string[];
};

export type AuditRow = {
  readonly key: string;
  readonly title: string;
  readonly workflow: string;
  readonly chain: ChainState;
  readonly bytes?: number;
  readonly changed: string | null;
  readonly approvals: { readonly proven: number; readonly doubtful: number };
  readonly notes: readonly string[];
};

/** The definitions with their figures on the map, and what `check` finds. */
export type ProcessData = {
  readonly workflows: readonly ProcessMap[];
  readonly runs: number;
  readonly events: number;
  /** What `waymark check` finds; only for authors and on one's own machine. */
  readonly findings?: readonly {
    readonly severity: "error" | "warning" | "info";
    readonly file: string;
    readonly line?: number;
    readonly message: string;
    readonly fix?: string;
  }[];
};

export type ProcessMap = {
  readonly workflow: string;
  readonly kind: "bot" | "session";
  readonly walks: number;
  readonly finished: number;
  readonly outOfTurn: number;
  readonly refusals: readonly { readonly code: string; readonly times: number }[];
  readonly steps: readonly ProcessStep[];
};

export type ProcessFigures = {
  readonly completed: number;
  readonly work: { readonly times: number; readonly median: number | null; readonly longest: number | null };
  readonly firstPass: { readonly passed: number; readonly of: number };
  readonly missed: readonly { readonly field: string; readonly times: number }[];
  readonly refusals: readonly { readonly code: string; readonly times: number }[];
  readonly waits: {
    readonly times: number;
    readonly median: number | null;
    readonly longest: number | null;
    readonly declined: number;
  };
};

export type ProcessStep = ProcessFigures & {
  readonly step: string;
  readonly label: string;
  readonly versions: readonly (ProcessFigures & { readonly version: string | null; readonly since: string })[];
};

export type SearchData = {
  readonly results: readonly {
    readonly content: string;
    readonly file: string;
    readonly section: string;
    readonly score: number;
    readonly tokens: number;
  }[];
};

/** What a page hears while it is open. Every event is a hint with the newest row: a page asks for the list at each `hello`, and whenever it has missed some. */
export type LiveEvent =
  | { readonly type: "hello"; readonly at: string }
  | { readonly type: "run"; readonly row: RunRow; readonly counts: RunList["counts"]; readonly whole: boolean | null }
  | { readonly type: "gone"; readonly key: string }
  | { readonly type: "process" }
  | { readonly type: "beat"; readonly at: string };

export type { JudgingData };
