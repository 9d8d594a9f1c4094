import { randomUUID } from "node:crypto";
import type { OpenedWorkplace } from "../../app/open-workplace.ts";
import type { BlockedResponse } from "../../engine/answer-blocked.ts";
import type { Engine } from "../../engine/engine.ts";
import type { OpenStepReview } from "../../engine/open-steps.ts";
import { defaultExpiry } from "../../gates/approval-rule.ts";
import { statementFor } from "../../gates/approval-statement.ts";
import { responseDigest, rulesWaivedWith } from "../../gates/waiver.ts";
import { defined } from "../../kit/defined.ts";
import { stepLabel } from "../../messages/stream-words.ts";
import type { SealedKey } from "../../people/sealed-key.ts";
import { signStatement } from "../../people/sign-statement.ts";
import { fieldProblem, responseTextProblem } from "../../workflow/decide-blocked.ts";
import { endProblem } from "../../workflow/decide-person.ts";
import { itemField } from "../../workflow/items.ts";
import { oneLine, print, printJson } from "../terminal/print.ts";
import { refusalText } from "../terminal/refusal-text.ts";
import { openTerminal, type Terminal } from "../terminal/terminal.ts";
import { UserError } from "../terminal/user-error.ts";
import { openBots, type PlaceOptions, personAtTerminal, workplaceFor } from "../terminal/workplace-options.ts";
import { findSession } from "../work/find-session.ts";
import { approverPlaces } from "./approver-places.ts";
import { chooseKey, openKeyOrThrow } from "./choose-key.ts";

export type RespondOptions = PlaceOptions & { readonly run?: string; readonly json?: true };

export type AnswerOptions = RespondOptions & {
  readonly again?: true;
  readonly continue?: true;
  readonly as?: string;
};

export type WaiveOptions = RespondOptions & { readonly reason: string; readonly then?: string; readonly as?: string };

export type EndOptions = RespondOptions & { readonly reason?: string };

/** Sends a person's answer to the assistant that reported a step as blocked; the step is open again. */
export async function answer(named: string, text: string, options: AnswerOptions): Promise<void> {
  const [follows, other] = [...(options.again ? ["again"] : []), ...(options.continue ? ["continue"] : [])];
  if (other !== undefined) throw new UserError("Use --again or --continue, not both.");
  await respond("answer", named, options, async (found, terminal) => {
    const { review, title } = found;
    const { blocked } = review.state;
    if (blocked !== undefined) terminal.say(`${title} is blocked: ${oneLine(blocked.reason)}`);
    const response = { ref: review.ref, text, ...defined({ follows }) };
    const done = `${answeredText(title, follows)} The assistant reads your answer first.`;
    // passing a bound counts as a waiver, so it needs the same level
    const key = follows === undefined ? undefined : await keyFor("answer", found, options);
    if (key === undefined) return { response, done };
    const why = `to answer ${title} with --${follows}`;
    return { response: await signed("answer", response, { found, key, terminal, why }), done };
  });
}

function answeredText(title: string, follows: string | undefined): string {
  if (follows === undefined) return `${title} is open again.`;
  return follows === "again" ? `${title} leads back once more.` : `${title} is done, and the work goes on.`;
}

/** Ends a run with one of the outcomes its workflow declares. */
export async function end(named: string, outcome: string, options: EndOptions): Promise<void> {
  await respond("end", named, options, async ({ review: { ref }, title, engine }, terminal) => {
    const { plan, ...mapped } = await engine.overview();
    const workflow = plan.workflows.find(({ name }) => name === ref.workflow);
    const problem = workflow && endProblem(workflow, outcome);
    if (problem !== undefined) throw new UserError(refusalText(mapped, problem));
    const word = await terminal.ask(`End ${title} as ${oneLine(outcome)}? [y/N] `);
    if (!/^y(es)?$/i.test(word)) throw new UserError("Cancelled. Nothing was recorded.");
    const text = options.reason ?? `Ended as ${outcome}.`;
    return { response: { ref, text, ends: outcome }, done: `${title} ended as ${oneLine(outcome)}.` };
  });
}

/** Waives requirements or checks of an open step for this attempt, at the approval level of the step. */
export async function waive(named: string, given: readonly string[], options: WaiveOptions): Promise<void> {
  const { reason, then: follows } = options;
  const fields = [...new Set(given)];
  const unusable = responseTextProblem("the reason", reason);
  if (unusable !== undefined) throw new UserError(`Nothing was waived: ${unusable}.`);
  await respond("waive", named, options, async (found, terminal) => {
    const { review, title } = found;
    const { ref, state, gate } = review;
    const problem = fields.flatMap((field) => fieldProblem(gate, state.items, field) ?? [])[0];
    if (problem !== undefined) throw new UserError(`Nothing was waived: ${oneLine(problem)}.`);
    const key = await keyFor("waive", found, options);
    const names = fields.map((field) => oneLine(field)).join(", ");
    if (state.blocked !== undefined) terminal.say(`${title} is blocked: ${oneLine(state.blocked.reason)}`);
    terminal.say(`Waived for this attempt only, and recorded with your reason: ${names}`);
    const rules = rulesWaivedWith(gate, fields);
    if (rules.length > 0) terminal.say(`Not judged without them: ${oneLine(rules.join("; "))}`);
    const response = { ref, text: reason, fields, ...defined({ follows }) };
    const done = `Waived in ${title}: ${names}. The assistant reads your reason first.`;
    if (key === undefined) {
      const word = await terminal.ask(`Waive ${names} of ${title}? [y/N] `);
      if (!/^y(es)?$/i.test(word)) throw new UserError("Cancelled. Nothing was recorded.");
      return { response, done };
    }
    return {
      response: await signed("waive", response, { found, key, terminal, why: `to waive ${names} of ${title}` }),
      done,
    };
  });
}

/** Drops an item of an open step: it counts as a waiver, at the approval level of the step. */
export async function drop(named: string, item: string, options: Omit<WaiveOptions, "then">): Promise<void> {
  await waive(named, [itemField(item)], options);
}

/** Picks the key that a decision about a found step is signed with; undefined if none is needed. */
async function keyFor(
  decision: "answer" | "waive",
  { review: { needs }, workplace }: FoundStep,
  options: PlaceOptions & { readonly as?: string },
): Promise<SealedKey | undefined> {
  return chooseKey({ places: approverPlaces(options, workplace.definitions), decision, needs, as: options.as });
}

/** Signs a response with the person's key. */
async function signed(
  decision: "answer" | "waive",
  response: BlockedResponse,
  { found: { review }, key, terminal, why }: SigningParts,
): Promise<BlockedResponse> {
  const { ref, text, fields, follows } = response;
  const opened = await openKeyOrThrow(key, terminal, why);
  const statement = statementFor(
    { ...ref, ...review, digest: responseDigest(fields, follows) },
    { decision, comment: text },
    { now: new Date(), nonce: randomUUID(), seconds: review.needs.expires ?? defaultExpiry },
  );
  return { ...response, signed: signStatement(statement, key.key, opened) };
}

type SigningParts = {
  readonly found: FoundStep;
  readonly key: SealedKey;
  readonly terminal: Terminal;
  readonly why: string;
};

/** The open step that a person named, and its name for people. */
type FoundStep = {
  readonly workplace: OpenedWorkplace;
  readonly engine: Engine;
  readonly review: OpenStepReview;
  readonly title: string;
};

/** The response to record, and the line that confirms it. */
type Prepared = { readonly response: BlockedResponse; readonly done: string };

/** Finds the step, has the person's response prepared at their terminal, and records it. */
async function respond(
  command: "answer" | "waive" | "end",
  named: string,
  options: RespondOptions,
  prepare: (found: FoundStep, terminal: Terminal) => Promise<Prepared>,
): Promise<void> {
  const terminal = openTerminal(
    `waymark ${command} needs a terminal, and there is none here: only a person can do this. Run it in your own terminal.`,
  );
  const workplace = workplaceFor(options);
  try {
    const { engine, workflow } = await findEngine(workplace, named, options.run);
    const [review] = (await engine.openSteps()).filter(({ ref }) => (workflow ?? ref.workflow) === ref.workflow);
    if (review === undefined) throw new UserError(`Nothing is open in ${oneLine(named)}. See waymark status.`);
    const title = `${oneLine(stepLabel(engine.id, { ...review.ref, title: review.title }))} of ${engine.id.name}`;
    const { response, done } = await prepare({ workplace, engine, review, title }, terminal);
    const reply = await engine.respond(personAtTerminal(options), response);
    if (reply.outcome.kind === "refused") throw new UserError(refusalText(reply, reply.outcome.refusal));
    const { ref, text, fields, follows, ends, signed } = response;
    const { step, attempt } = ref;
    const said = {
      ...(fields === undefined ? { answer: text } : { waived: fields, reason: text }),
      ...defined({ follows, ends }),
    };
    const level = signed === undefined ? "elicited" : "proven";
    if (options.json) printJson({ run: named, ...defined({ run_name: options.run }), step, attempt, level, ...said });
    else print(done);
    await workplace.settle();
  } finally {
    terminal.close();
    workplace.close();
  }
}

/** Opens the bot or session that a person names, with the behavior if they named one. */
async function findEngine(
  workplace: OpenedWorkplace,
  named: string,
  run: string | undefined,
): Promise<{ readonly engine: Engine; readonly workflow?: string }> {
  const { bots } = await workplace.bots();
  const bot = bots.find(({ name }) => named === name || named.startsWith(`${name}.`))?.name;
  if (bot === undefined) return { engine: await findSession(workplace, named) };
  const [opened] = await openBots(workplace, { root: "", bot, ...defined({ run }) });
  if (opened === undefined) throw new UserError(`There is no run ${oneLine(named)} here. See waymark status.`);
  return { engine: opened.engine, ...(named === bot ? {} : { workflow: named.slice(bot.length + 1) }) };
}
