import type { RunCondition } from "../overview/conditions.ts";
import type { EvidenceCounts } from "../overview/evidence-text.ts";
import type { RunRow } from "../overview/run-row-data.ts";
import type { ReviewData, ShownCheck, ShownEvidence, ShownRule } from "./pages/page-data.ts";

/*
 * The dashboard's HTTP API. Every request has `Authorization: Bearer` and, on a server with several projects,
 * `?project=NAME`. `:key` is a run's encoded `key`; it is looked up, never joined to a path.
 *
 *   GET  /api/page                        BoardHome       the viewer and the projects (kind: "board")
 *   GET  /api/runs                        RunList         a page of the runs in short, filtered and sorted by RunFilters
 *   GET  /api/runs/:key                   RunData         one run: map, attempts, sentence
 *   GET  /api/runs/:key/attempt           Attempt         ?workflow=&step=&pass=&attempt=: one attempt with its submissions
 *   GET  /api/runs/:key/records           RecordWindow    ?from=SEQ&count=N (at most 500), oldest first; ?before=SEQ&count=N
 *   GET  /api/inbox                       InboxData       submissions waiting for approval, oldest first
 *   GET  /api/runs/:key/judging           JudgingData     ?workflow=&step=: one submission in full
 *   POST /api/runs/:key/statement         StatementMade   { workflow, step } & StatementWanted
 *   POST /api/runs/:key/answer            AnswerTaken     { workflow, step } & PasskeyAnswer
 *   GET  /api/page?passkey                EnrolmentData   creates an approver's own passkey for this server
 *   POST /api/options, /api/enrol         EnrolmentOptions, Enrolled
 *   GET  /api/audit                       AuditData       ?after=CURSOR: the state of histories, 200 at a time; ?again=1 audits all of them first
 *   GET  /api/runs/KEY/file?path&sha256   a file that a step has recorded, with this hash
 *   GET  /api/export                      the same as `waymark export --json`, as a download
 *   GET  /api/process                     ProcessData     definitions with statistics, and findings
 *   GET  /api/search                      SearchData      ?query=
 *   GET  /api/live                        LiveEvent       server-sent events, one stream per browser
 */

/** The viewer and the projects they may see. */
export type BoardHome = {
  readonly kind: "board";
  /** The current project, and the others this person may see. */
  readonly project: string;
  readonly projects: readonly string[];
  readonly version: string;
  /** The name and role of the person's token; neither on their own machine. */
  readonly name?: string;
  readonly role?: "viewer" | "approver" | "author";
  /** True if this person can answer here with a passkey. */
  readonly approves: boolean;
};

export type { RunCondition, RunRow };

/** A runner: its level, or why it does not count; and when the server last saw it. */
export type BoardRunner = {
  readonly name: string;
  readonly level?: "local" | "independent";
  readonly problem?: string;
  readonly seen?: string;
};

/** The names of the filters of the list of runs, as they are in addresses. */
export const runFilterNames = ["stands", "workflow", "assistant", "for", "age", "sort", "q", "page"] as const;

/** `stands`: a condition; `for`: a person it waits for; `age`: no activity for so many days; `q`: words. */
export type RunFilters = { readonly [Name in (typeof runFilterNames)[number]]?: string };

/** A page of the runs that fit; the counts are of all. */
export type RunList = {
  readonly runs: readonly RunRow[];
  /** The server is still reading older runs, which are neither listed nor counted yet. */
  readonly isPartial?: true;
  /** The runs that fit, by status. */
  readonly found: Readonly<Record<RunCondition, number>>;
  readonly page: number;
  readonly pages: number;
  readonly choices: Readonly<Record<"workflow" | "assistant" | "for", readonly string[]>>;
  /** The longest wait of all runs, and the latest activity of those that work or are idle. */
  readonly times: Readonly<Record<"waits" | "working" | "quiet", string | null>>;
  readonly counts: Readonly<Record<RunCondition, number>>;
  /** True if every history is intact, or null while that is being verified. */
  readonly whole: boolean | null;
  readonly records: number;
  /** The runners of the project, if it names any. */
  readonly runners?: readonly BoardRunner[];
  /** The time of this data by the server's clock. */
  readonly at: string;
};

/** One run in full, except its records. */
export type RunData = {
  readonly row: RunRow;
  /** The status in a sentence. */
  readonly sentence: string;
  /** The map: one row per behavior of a bot, or one row for a session; upcoming phases have only a number. */
  readonly workflows: readonly MapRow[];
  /** Every attempt with its submissions and waits, oldest first; in a long history the latest 2,000 and the number left out. */
  readonly attempts: readonly Attempt[];
  readonly attemptsLeftOut: number;
  readonly chain: ChainState;
  /** A person's choices at the current step; absent if nothing is open. */
  readonly help?: StepHelp;
  /** Warnings: stale checks, changed definitions, edits, problems seen on this machine. */
  readonly warnings: readonly string[];
};

/** A prompt with which the assistant goes on, and the commands with which a person steps in. */
export type StepHelp = {
  readonly prompt: string;
  readonly commands: readonly { readonly what: string; readonly command: string }[];
};

/** A recorded file, or the reason why it cannot be shown. */
export type RecordedFile = { readonly path: string } & ({ readonly text: string } | { readonly problem: string });

export type MapRow = {
  readonly workflow: string;
  readonly pass: number;
  readonly finished: boolean;
  readonly steps: readonly MapStep[];
};

/** One item of a step: its title, its state, and the strip and key of its session. */
export type MapItem = {
  readonly item: string;
  readonly title: string;
  readonly state: "waiting" | "open" | "settled" | "dropped" | "failed";
  readonly outcome?: string;
  /** One sign per step of its session. */
  readonly signs: string;
  readonly key?: string;
};

/** One step on the map of a run. */
export type MapStep = {
  readonly step: string;
  readonly label: string;
  readonly since?: string;
  readonly sign: string;
  /** The seconds of work without waiting for people, if it is done. */
  readonly work?: number;
  readonly handIns: number;
  readonly refused: number;
  /** Its evidence, if it is done or open and has some. */
  readonly evidence?: EvidenceCounts;
  /** Its round from the second on, and the step that led back to it. */
  readonly round?: number;
  readonly cameBackFrom?: string;
  /** Its condition was false. */
  readonly passedOver?: true;
  /** Its items, at most 500, and how many there are. */
  readonly items?: { readonly total: number; readonly shown: readonly MapItem[] };
  readonly stale?: readonly { readonly check: string; readonly paths: readonly string[] }[];
};

/** One attempt at a step. */
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
  readonly handIns: readonly ShownSubmission[];
  /** True in a long history: the submissions are left out here and served by `…/attempt`. */
  readonly isLean?: true;
  readonly waits: readonly { readonly from: string; readonly to?: string }[];
  /** When items of it were read, opened or settled. */
  readonly itemsMoved?: readonly string[];
  /** The approval that completed it: its level, and the words. */
  readonly word?: {
    readonly level: "auto" | "relayed" | "elicited" | "proven";
    readonly text?: string;
    readonly by?: readonly string[];
  };
};

/** One submission with its outcome; long values are cut, the inbox and `waymark show` have them in full. */
export type ShownSubmission = {
  readonly number: number;
  readonly at: string;
  readonly endedAt?: string;
  readonly client?: string;
  readonly outcome: "checking" | "waits" | "refused" | "declined" | "replaced" | "completed";
  readonly code?: string;
  /** The missing fields in words, and whether they were the same the time before. */
  readonly missing?: readonly string[];
  readonly sameGaps?: true;
  readonly reason?: string;
  readonly evidence: readonly ShownEvidence[];
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly content: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
  readonly checks: readonly (ShownCheck & { readonly seconds?: number })[];
  readonly violations: readonly Omit<ShownRule, "severity">[];
};

/** The state of a chain: intact up to a head, or where and why it breaks. */
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

/** A window of records. */
export type RecordWindow = {
  readonly records: readonly ShownRecord[];
  /** The total number of records. */
  readonly total: number;
};

/** One record as a row: number, hash, and each event in one line. */
export type ShownRecord = {
  readonly seq: number;
  readonly hash: string;
  readonly events: readonly ShownEvent[];
};

export type ShownEvent = {
  readonly type: string;
  readonly at: string;
  /** The description of the event, as in `waymark log`. */
  readonly text: string;
  readonly tone: "plain" | "good" | "warn" | "bad";
  readonly by?: string;
  readonly client?: string;
  readonly workflow?: string;
  readonly step?: string;
  readonly attempt?: number;
};

/** The submissions waiting for approval. */
export type InboxData = { readonly items: readonly InboxItem[]; readonly at: string };

export type InboxItem = {
  readonly key: string;
  readonly title: string;
  readonly workflow: string;
  readonly step: string;
  readonly label: string;
  readonly since: string;
  readonly handIn: number;
  /** The evidence counted by status. */
  readonly looked: { readonly found: number; readonly agrees: number; readonly differs: number; readonly word: number };
  readonly needs: string;
  readonly summary: string;
  /** The number of requirements that people waived. */
  readonly waived?: number;
  /** The assistant reported it as blocked; the summary is the reason. */
  readonly blocked?: true;
};

/** The state, size and head of a page of the histories: broken ones first, then by their latest change. */
export type AuditData = {
  readonly at: string;
  readonly histories: readonly AuditRow[];
  /** The cursor of the next page, if there is one. */
  readonly next?: string;
  readonly problems: readonly string[];
};

export type AuditRow = Pick<RunRow, "key" | "title" | "workflow" | "changed"> & {
  readonly chain: ChainState;
  readonly bytes?: number;
  readonly approvals: { readonly proven: number; readonly doubtful: number };
  readonly notes: readonly string[];
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

/** A live event with the latest row; a page loads the list at each `hello` and after missed events. */
export type LiveEvent =
  | { readonly type: "hello"; readonly at: string }
  | { readonly type: "run"; readonly row: RunRow; readonly counts: RunList["counts"]; readonly whole: boolean | null }
  | { readonly type: "gone"; readonly key: string }
  | { readonly type: "process" }
  | { readonly type: "beat"; readonly at: string };

export type { ReviewData };
