import { createHash } from "node:crypto";
import { canonical } from "../evidence/json.ts";

/** What a person decided, and about what: the text that is signed. */
export type Statement = {
  readonly v: 1;
  /** The history that it belongs to, by the hash of its first record: the same in every clone, and in no other project. */
  readonly project: string;
  /** The desk: a bot, a bot and its run (`bot/run`), or a session. */
  readonly run: string;
  readonly workflow: string;
  readonly step: string;
  readonly pass: number;
  readonly attempt: number;
  /** Names everything that was shown: outputs, evidence, files, what rules and checks found. */
  readonly digest: string;
  readonly decision: "approve" | "reject";
  /** What the person says to it; of a rejection, the reason. */
  readonly comment?: string;
  /** Counts once. */
  readonly nonce: string;
  readonly at: string;
  /** From when on it no longer counts. */
  readonly expires?: string;
};

/** What shows that a person made a statement: by whose key, and its signature. Binary parts are in base64url. */
export type Proof =
  | { readonly kind: "ed25519"; readonly key: string; readonly signature: string }
  | {
      readonly kind: "passkey";
      readonly key: string;
      readonly authenticatorData: string;
      readonly clientDataJSON: string;
      readonly signature: string;
      /** Where the page stood that asked for it. */
      readonly origin: string;
    };

/** A statement with its proof: what goes on record. */
export type Signed = { readonly statement: Statement; readonly proof: Proof };

/** The one text of a statement, whoever writes it: this is what an Ed25519 key signs. */
export function statementText(statement: Statement): string {
  return canonical(statement);
}

/** What a passkey signs instead: the SHA-256 of that text. */
export function challengeOf(statement: Statement): Buffer {
  return createHash("sha256").update(statementText(statement)).digest();
}

/** What a statement is made about: one hand-in at one desk of one project. */
export type About = Pick<Statement, "project" | "run" | "workflow" | "step" | "pass" | "attempt" | "digest">;

/** The statement by which a person decides about a hand-in; `seconds`: how long it is to count. The one way to make one. */
export function statementFor(
  { project, run, workflow, step, pass, attempt, digest }: About,
  { decision, comment }: Pick<Statement, "decision" | "comment">,
  { now, nonce, seconds }: { readonly now: Date; readonly nonce: string; readonly seconds?: number },
): Statement {
  return {
    v: 1,
    project,
    run,
    workflow,
    step,
    pass,
    attempt,
    digest,
    decision,
    ...(comment === undefined ? {} : { comment }),
    nonce,
    at: now.toISOString(),
    ...(seconds === undefined ? {} : { expires: new Date(now.getTime() + seconds * 1000).toISOString() }),
  };
}

/** What of a statement is not about this hand-in, or not this decision; undefined where all of it is. */
export function statementProblem(
  statement: Statement,
  about: About,
  decision: Statement["decision"],
): string | undefined {
  const wanted = { v: 1, ...about, decision } as const;
  const parts = ["v", "project", "run", "workflow", "step", "pass", "attempt", "digest", "decision"] as const;
  const other = parts.find((part) => statement[part] !== wanted[part]);
  return other === undefined ? undefined : `it is about another ${other === "digest" ? "content" : other}`;
}

/** A desk as people state it: a bot, a bot and its run, or a session. */
export function statedRun({ name, run }: { readonly name: string; readonly run?: string }): string {
  return run === undefined ? name : `${name}/${run}`;
}
