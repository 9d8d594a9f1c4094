import { randomUUID } from "node:crypto";
import * as z from "zod/v4";
import type { Calling } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import type { HandIn, Waits } from "../../engine/hand-ins.ts";
import type { Reply } from "../../engine/reply.ts";
import { usualExpiry } from "../../evidence/approval.ts";
import { aboutHandIn } from "../../overview/about-hand-in.ts";
import type { Approver } from "../../people/approver.ts";
import { isProved } from "../../people/proof.ts";
import { challengeOf, type Signed, type Statement, statementFor } from "../../people/statement.ts";
import type { StepRef } from "../../workflow/events.ts";
import { refusal } from "../refusal.ts";
import { answerTaken } from "./answer-taken.ts";
import { judgingData } from "./judging-data.ts";
import type { AnswerTaken, PasskeyAnswer, StatementMade } from "./page-data.ts";
import type { Here, Matter } from "./pages.ts";

/** Somebody whom the definitions name, and whether a person trusts that on this machine. */
export type Candidate = { readonly approver: Approver; readonly trusted: boolean };

/** What judging one hand-in on a page needs. */
export type JudgingParts = {
  readonly engine: Pick<Engine, "id" | "handIns" | "map" | "answer">;
  /** The attempt that is judged. */
  readonly ref: StepRef;
  /** The folder of the project, by its name. */
  readonly project: string;
  /** The person at the page, as the history names them. */
  readonly caller: Calling;
  candidates(): Promise<readonly Candidate[]>;
  readonly clock: () => Date;
  /** Hears of every answer that is on record: what it came to, and of whom it is. */
  answered(reply: Reply, signed: Signed, name: string): void;
};

type Passkey = Approver & { readonly kind: "passkey" };

/** How many statements wait for a signature at once; an older one is forgotten, and asked for again. */
const mostStatements = 20;

/** A page on which one hand-in is judged: shown whole, and answered with a passkey that signs a statement about just that. */
export function judging(parts: JudgingParts): Matter {
  const made = new Map<string, Statement>();
  const look = async (): Promise<HandIn | undefined> =>
    (await parts.engine.handIns()).find(({ ref }) => isSameAttempt(ref, parts.ref));
  return {
    show: async () =>
      judgingData(parts, await look(), aboutHandIn(await parts.engine.map(), parts.ref), await parts.candidates()),
    acts: {
      statement: async (data, here) => {
        const wanted = wantedForm.safeParse(data).data;
        if (wanted === undefined) return notUnderstood();
        const waits = (await look())?.waits;
        if (waits?.digest !== wanted.digest) return changed();
        const statement = statementOf(parts, waits, wanted);
        made.set(statement.nonce, statement);
        for (const nonce of [...made.keys()].slice(0, -mostStatements)) made.delete(nonce);
        return askedOf(statement, passkeysFor(await parts.candidates(), here, waits, wanted.decision));
      },
      answer: async (data, here) => {
        const given = answerForm.safeParse(data).data;
        if (given === undefined) return notUnderstood();
        const statement = made.get(given.nonce);
        made.delete(given.nonce); // it counts once, whatever becomes of it
        if (statement === undefined) return changed();
        const candidates = await parts.candidates();
        return take(parts, statement, given, here, candidates);
      },
    },
  };
}

/** Proves an answer and puts it on record. */
async function take(
  { engine, ref, caller, answered }: JudgingParts,
  statement: Statement,
  given: PasskeyAnswer,
  { origin, rpId }: Here,
  candidates: readonly Candidate[],
): Promise<AnswerTaken> {
  const approver = candidates
    .map((one) => one.approver)
    .find((one) => isPasskey(one) && one.credential === given.credential && one.rpId === rpId);
  if (approver === undefined) return { result: "refused", message: "Nobody here has this passkey." };
  const { authenticatorData, clientDataJSON, signature } = given;
  const proof = { kind: "passkey", key: approver.key, authenticatorData, clientDataJSON, signature, origin } as const;
  const signed: Signed = { statement, proof };
  const proved = isProved(signed, approver);
  if (proved !== true) return { result: "refused", message: `The answer does not count: ${proved}.` };
  const { digest, decision, comment } = statement;
  const said = comment === undefined ? {} : { comment };
  const reply = await engine.answer(caller, { ref, digest, decision, ...said, signed });
  const taken = answerTaken(reply, { ref, nonce: statement.nonce });
  if (taken.result !== "refused") answered(reply, signed, approver.name);
  return taken;
}

type Wanted = z.infer<typeof wantedForm>;

function statementOf({ ref, clock }: JudgingParts, waits: Waits, { decision, comment }: Wanted): Statement {
  const { project, run, digest, needs } = waits;
  return statementFor(
    { ...ref, project, run, digest },
    { decision, ...(comment === undefined ? {} : { comment }) },
    { now: clock(), nonce: randomUUID(), seconds: needs.expires ?? usualExpiry },
  );
}

function askedOf(statement: Statement, passkeys: readonly Passkey[]): StatementMade | Response {
  const [first] = passkeys;
  if (first === undefined) return refusal(409, "forbidden", "Nobody whose passkey is trusted here may answer this.");
  return {
    nonce: statement.nonce,
    challenge: challengeOf(statement).toString("base64url"),
    rpId: first.rpId,
    credentials: passkeys.map(({ credential }) => credential),
  };
}

/** Whose passkeys can answer: to a yes of those who are asked; to a no of everybody. */
function passkeysFor(
  candidates: readonly Candidate[],
  { rpId }: Here,
  { needs: { by } }: Waits,
  decision: Statement["decision"],
): readonly Passkey[] {
  const trusted = candidates.filter((one) => one.trusted).map(({ approver }) => approver);
  const mayAnswer = (name: string): boolean => decision === "reject" || by === undefined || by.includes(name);
  return trusted.filter((one): one is Passkey => isPasskey(one) && one.rpId === rpId && mayAnswer(one.name));
}

function isPasskey(approver: Approver): approver is Passkey {
  return approver.kind === "passkey";
}

function isSameAttempt(one: StepRef, other: StepRef): boolean {
  const parts = ["workflow", "step", "pass", "attempt"] as const;
  return parts.every((part) => one[part] === other[part]);
}

function changed(): Response {
  return refusal(409, "conflict", "It has changed since it was shown, or waits no longer. Look at it again.");
}

function notUnderstood(): Response {
  return refusal(400, "invalid_input", "The page sent something that is not understood here.");
}

const wantedForm = z.strictObject({
  decision: z.enum(["approve", "reject"]),
  digest: z.string(),
  comment: z.string().min(1).max(1500).optional(),
});

const binary = z.string().regex(/^[\w-]{1,20000}$/);

const answerForm = z.strictObject({
  nonce: z.string(),
  credential: binary,
  authenticatorData: binary,
  clientDataJSON: binary,
  signature: binary,
});
