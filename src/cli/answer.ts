import { randomUUID } from "node:crypto";
import { usualExpiry } from "../evidence/approval.ts";
import type { SealedKey } from "../people/sealed-key.ts";
import { signStatement } from "../people/sign.ts";
import { type Signed, type Statement, statementFor } from "../people/statement.ts";
import { answeredLines, cameTo, deedOf } from "./answer-words.ts";
import { UserFault } from "./fault.ts";
import { chooseKey, openOrFault } from "./own-key.ts";
import { peoplePlaces } from "./people-places.ts";
import { plain, print, printJson } from "./print.ts";
import { asTyped, findHandIns } from "./show.ts";
import { type NamedHandIn, showLines, shownHandIn, type Waiting } from "./show-hand-in.ts";
import { openTerminal, type Terminal } from "./terminal.ts";
import { atTerminal, type PlaceOptions, workplaceFor } from "./workplace.ts";

export type AnswerOptions = PlaceOptions & {
  readonly run?: string;
  /** Which of one's keys, by name. */
  readonly as?: string;
  readonly comment?: string;
  readonly json?: true;
};

/** Shows a person what waits for them, whole, and puts their answer on record: with their key, where they have one here. */
export async function answerAtTerminal(
  decision: Statement["decision"],
  run: string | undefined,
  options: AnswerOptions,
): Promise<void> {
  const said = sayable(options.comment);
  const workplace = workplaceFor(options);
  try {
    const chosen = onlyWaiting(await findHandIns(workplace, run, options.run), run, decision);
    const { waits, ref } = chosen.handIn;
    const { as, json } = options;
    const key = await chooseKey({
      places: peoplePlaces(options, workplace.definitions),
      decision,
      needs: waits.needs,
      as,
    });
    const terminal = openTerminal(
      `Whoever answers sits at a terminal, and there is none here: run waymark ${decision} in one of your own.`,
    );
    const signed = await givenAt(terminal, chosen, { decision, ...said }, key).finally(terminal.close);
    const answer = { ref, digest: waits.digest, decision, ...said, ...(signed === undefined ? {} : { signed }) };
    const reply = await chosen.engine.answer(atTerminal(), answer);
    const came = cameTo(chosen, reply, answer, key);
    if (json === true) printJson(came);
    else print(...answeredLines(came, chosen.title, reply));
    await workplace.settle();
  } finally {
    workplace.close();
  }
}

/** Shows it whole and takes the person's word for it: their signature, or nothing where they have no key here. */
async function givenAt(
  terminal: Terminal,
  chosen: Waiting,
  said: Pick<Statement, "decision" | "comment">,
  key: SealedKey | undefined,
): Promise<Signed | undefined> {
  const { waits, ref } = chosen.handIn;
  terminal.say(...showLines(shownHandIn(chosen)), "");
  const deed = deedOf(said.decision, chosen);
  if (key === undefined) {
    const word = await terminal.ask(`${deed.replace(/^./, (letter) => letter.toUpperCase())}? [y/N] `);
    if (!/^y(es)?$/i.test(word)) throw new UserFault("Nothing was answered.");
    return undefined;
  }
  const opened = await openOrFault(key, terminal, `to ${deed}`);
  const statement = statementFor({ ...ref, ...waits }, said, {
    now: new Date(),
    nonce: randomUUID(),
    seconds: waits.needs.expires ?? usualExpiry,
  });
  return signStatement(statement, key.key, opened);
}

/** The one thing that waits, where it is one. */
export function onlyWaiting(all: readonly NamedHandIn[], run: string | undefined, decision: string): Waiting {
  const waiting = all.filter((one): one is Waiting => one.handIn.waits !== undefined);
  const [only, another] = waiting.filter(({ name }) => run === undefined || name === run);
  if (only === undefined) {
    const others = waiting.map(asTyped).join(", ");
    const what = run === undefined ? "Nothing" : `Nothing of ${plain(run)}`;
    throw new UserFault(`${what} waits for a person.${others === "" ? "" : ` What waits: ${others}.`}`);
  }
  if (another === undefined) return only;
  const each = waiting.map((one) => `waymark ${decision} ${asTyped(one)}`).join("\n  ");
  throw new UserFault(`Several runs wait for a person: say which.\n  ${each}`);
}

/** What a person says to it, as it goes on record. */
function sayable(written: string | undefined): { readonly comment?: string } {
  const comment = written?.trim() ?? "";
  if (comment.length > longest) throw new UserFault(`A comment has at most ${longest} characters.`);
  return comment === "" ? {} : { comment };
}

const longest = 1500;
