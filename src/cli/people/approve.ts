import { randomUUID } from "node:crypto";
import { defaultExpiry } from "../../gates/approval-rule.ts";
import { type SignedStatement, type Statement, statementFor } from "../../gates/approval-statement.ts";
import { defined } from "../../kit/defined.ts";
import type { SealedKey } from "../../people/sealed-key.ts";
import { signStatement } from "../../people/sign-statement.ts";
import { oneLine, print, printJson } from "../terminal/print.ts";
import { openTerminal, type Terminal } from "../terminal/terminal.ts";
import { UserError } from "../terminal/user-error.ts";
import { type PlaceOptions, personAtTerminal, workplaceFor } from "../terminal/workplace-options.ts";
import { existingRun } from "../work/find-session.ts";
import { answerLines, answerResult, decisionText } from "./answer-result.ts";
import { approverPlaces } from "./approver-places.ts";
import { chooseKey, openKeyOrThrow } from "./choose-key.ts";
import { findSubmissions, isBlocked } from "./show.ts";
import {
  type NamedSubmission,
  runName,
  showSubmission,
  submissionLines,
  type WaitingSubmission,
} from "./show-submission.ts";

export type AnswerOptions = PlaceOptions & {
  readonly run?: string;
  /** The name of the key to use. */
  readonly as?: string;
  readonly comment?: string;
  readonly json?: true;
};

/** Shows a person what is waiting and records their answer, signed if they have a key here. */
export async function answerAtTerminal(
  decision: Statement["decision"],
  run: string | undefined,
  options: AnswerOptions,
): Promise<void> {
  const said = cleanComment(options.comment);
  const workplace = workplaceFor(options);
  try {
    const named = await existingRun(workplace, run);
    const chosen = onlyWaitingSubmission(await findSubmissions(workplace, named, options.run), named, decision);
    const { waits, ref } = chosen.submission;
    const { as, json } = options;
    const key = await chooseKey({
      places: approverPlaces(options, workplace.definitions),
      decision,
      needs: waits.needs,
      as,
    });
    const terminal = openTerminal(
      `waymark ${decision} needs a terminal, and there is none here. Run it in your own terminal.`,
    );
    const signed = await answerFromPerson(terminal, chosen, { decision, ...said }, key).finally(terminal.close);
    const answer = { ref, digest: waits.digest, decision, ...said, ...defined({ signed }) };
    const reply = await chosen.engine.answer(personAtTerminal(options), answer);
    const came = answerResult(chosen, reply, answer, key);
    if (json === true) printJson(came);
    else print(...answerLines(came, chosen.title, reply));
    await workplace.settle();
  } finally {
    workplace.close();
  }
}

/** Shows the submission and takes the person's answer: a signature, or undefined if they have no key here. */
async function answerFromPerson(
  terminal: Terminal,
  chosen: WaitingSubmission,
  said: Pick<Statement, "decision" | "comment">,
  key: SealedKey | undefined,
): Promise<SignedStatement | undefined> {
  const { waits, ref } = chosen.submission;
  terminal.say(...submissionLines(showSubmission(chosen)), "");
  const deed = decisionText(said.decision, chosen);
  if (key === undefined) {
    const word = await terminal.ask(`${deed.replace(/^./, (letter) => letter.toUpperCase())}? [y/N] `);
    if (!/^y(es)?$/i.test(word)) throw new UserError("Cancelled. Nothing was recorded.");
    return undefined;
  }
  const opened = await openKeyOrThrow(key, terminal, `to ${deed}`);
  const statement = statementFor({ ...ref, ...waits }, said, {
    now: new Date(),
    nonce: randomUUID(),
    seconds: waits.needs.expires ?? defaultExpiry,
  });
  return signStatement(statement, key.key, opened);
}

/** Picks the only submission that waits, or fails if there is not exactly one. */
export function onlyWaitingSubmission(
  all: readonly NamedSubmission[],
  run: string | undefined,
  decision: string,
): WaitingSubmission {
  const waiting = all.filter((one): one is WaitingSubmission => one.submission.waits !== undefined);
  const [only, another] = waiting.filter(({ name }) => run === undefined || name === run);
  if (only === undefined) {
    const others = waiting.map(({ argument }) => argument).join(", ");
    const what = run === undefined ? "Nothing" : `Nothing in ${oneLine(run)}`;
    const blocked = all.find(({ name, submission }) => isBlocked(submission) && (run === undefined || name === run));
    if (blocked !== undefined)
      throw new UserError(
        `${oneLine(blocked.title)} of ${runName(blocked)} is blocked, so there is nothing to ${decision} yet. Use waymark answer or waymark waive; waymark show says why it is blocked.`,
      );
    throw new UserError(`${what} is waiting for you.${others === "" ? "" : ` Waiting: ${others}.`}`);
  }
  if (another === undefined) return only;
  const each = waiting.map((one) => `waymark ${decision} ${one.argument}`).join("\n  ");
  throw new UserError(`Several runs are waiting. Name one:\n  ${each}`);
}

/** Cleans a comment for the record. */
function cleanComment(written: string | undefined): { readonly comment?: string } {
  const comment = written?.trim() ?? "";
  if (comment.length > maxCommentLength)
    throw new UserError(`The comment is too long: at most ${maxCommentLength} characters.`);
  return comment === "" ? {} : { comment };
}

const maxCommentLength = 1500;
