import { createHash } from "node:crypto";
import { defined } from "../kit/defined.ts";
import { canonical } from "../kit/json.ts";

/** The decisions a person can state: about a submission, or about a step that cannot be done as asked. */
export type Decision = SubmissionDecision | "answer" | "waive";

export type SubmissionDecision = "approve" | "reject";

/** A person's decision and its subject: the text that is signed. */
export type Statement<D extends Decision = SubmissionDecision> = {
  /** 1 in a history that names no project. */
  readonly v: 1 | 2;
  /** The project's identity; in version 1 the hash of the history's first record. */
  readonly project: string;
  /** The hash of the history's first record. */
  readonly first?: string;
  /** The stream: a bot, a bot's run (`bot/run`), or a session. */
  readonly run: string;
  readonly workflow: string;
  readonly step: string;
  readonly pass: number;
  readonly attempt: number;
  /** The digest of everything shown: outputs, evidence, files, rule and check results; of the names, if waived. */
  readonly digest: string;
  readonly decision: D;
  /** The person's comment: the reason if rejected or waived, the text if answered. */
  readonly comment?: string;
  /** Makes it count only once. */
  readonly nonce: string;
  readonly at: string;
  /** The time it expires. */
  readonly expires?: string;
};

/** The proof of a statement: key and signature; binary parts are in base64url. */
export type Proof =
  | { readonly kind: "ed25519"; readonly key: string; readonly signature: string }
  | {
      readonly kind: "passkey";
      readonly key: string;
      readonly authenticatorData: string;
      readonly clientDataJSON: string;
      readonly signature: string;
      /** The origin of the page that asked. */
      readonly origin: string;
    };

/** A statement with its proof, as recorded. */
export type SignedStatement<D extends Decision = SubmissionDecision> = {
  readonly statement: Statement<D>;
  readonly proof: Proof;
};

/** The canonical text of a statement, which an Ed25519 key signs. */
export function statementText(statement: Statement<Decision>): string {
  return canonical(statement);
}

/** The SHA-256 of that text, which a passkey signs instead. */
export function challengeOf(statement: Statement<Decision>): Buffer {
  return createHash("sha256").update(statementText(statement)).digest();
}

/** The subject of a statement: one submission to one stream of one project. */
export type StatementSubject = HistoryName &
  Pick<Statement, "run" | "workflow" | "step" | "pass" | "attempt" | "digest">;

/** The names of a project and of one history in it. */
export type HistoryName = Pick<Statement, "project"> & {
  /** Undefined in a history that names no project. */
  readonly first: string | undefined;
};

/** Names a history by the project it is identified with and its first record, or by that record alone. */
export function historyNameOf(project: string | undefined, first: string): HistoryName {
  return project === undefined ? { project: first, first: undefined } : { project, first };
}

/** Makes the statement of a person's decision about a submission; it is valid for `seconds`. All statements are made here. */
export function statementFor<D extends Decision>(
  { project, first, run, workflow, step, pass, attempt, digest }: StatementSubject,
  { decision, comment }: Pick<Statement<D>, "decision" | "comment">,
  { now, nonce, seconds }: { readonly now: Date; readonly nonce: string; readonly seconds?: number },
): Statement<D> {
  return {
    v: first === undefined ? 1 : 2,
    project,
    ...defined({ first }),
    run,
    workflow,
    step,
    pass,
    attempt,
    digest,
    decision,
    ...defined({ comment }),
    nonce,
    at: now.toISOString(),
    ...(seconds === undefined ? {} : { expires: new Date(now.getTime() + seconds * 1000).toISOString() }),
  };
}

/** Finds the part of a statement that is not about this submission or decision; undefined if all match. */
export function statementProblem(
  statement: Statement<Decision>,
  about: StatementSubject,
  decision: Decision,
): string | undefined {
  const wanted = { v: about.first === undefined ? 1 : 2, ...about, decision } as const;
  const parts = ["v", "project", "first", "run", "workflow", "step", "pass", "attempt", "digest", "decision"] as const;
  const other = parts.find((part) => statement[part] !== wanted[part]);
  const names: Readonly<Record<string, string>> = { digest: "submission", first: "history", v: "project" };
  return other === undefined ? undefined : `it is about another ${names[other] ?? other}`;
}

/** The name of a stream in statements: a bot, a bot's run, or a session. */
export function statedRun({ name, run }: { readonly name: string; readonly run?: string }): string {
  return run === undefined ? name : `${name}/${run}`;
}
