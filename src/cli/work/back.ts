import type { Engine } from "../../engine/engine.ts";
import type { Reply } from "../../engine/reply.ts";
import { defined } from "../../kit/defined.ts";
import { warningTexts } from "../../messages/notices.ts";
import { askPerson } from "../people/ask-person.ts";
import { paint, print, printJson } from "../terminal/print.ts";
import { refusalText } from "../terminal/refusal-text.ts";
import { openTerminal } from "../terminal/terminal.ts";
import { UserError } from "../terminal/user-error.ts";
import {
  type BotOptions,
  botRunTitle,
  openBots,
  personAtTerminal,
  workplaceFor,
} from "../terminal/workplace-options.ts";
import { findSession } from "./find-session.ts";

export type BackOptions = BotOptions & { readonly behavior?: string; readonly session?: string; readonly yes?: true };

/** Goes back to a completed action or phase; it and what followed are superseded but stay recorded. */
export async function back(step: string, options: BackOptions): Promise<void> {
  return options.session === undefined ? backToAction(step, options) : backToPhase(step, options.session, options);
}

async function backToAction(written: string, options: BackOptions): Promise<void> {
  const asked = parseRequestedStep(written, options);
  const [chosen, another] = await openBots(workplaceFor(options), { ...options, ...asked.bot });
  if (chosen === undefined) throw new UserError("There is no bot here. Name a session with --session.");
  if (another !== undefined) throw new UserError("There are several bots here. Name one with --bot.");
  const { bot, run, engine } = chosen;
  if (!(await confirmBack(engine, asked, options))) return print("Nothing was changed.");
  const reply = await engine.back(personAtTerminal(options), asked.position);
  const { workflow, step } = positionAfter(reply, asked.position.step);
  const warnings = warningTexts(reply.warnings, reply.id);
  if (options.json) return printJson({ bot, ...defined({ run }), behavior: workflow, action: step, warnings });
  print(
    `${botRunTitle(bot, run)} is back at ${workflow}.${step}. The next call opens it; everything after it must be redone.`,
  );
  for (const warning of warnings) print(paint("yellow", `! ${warning}`));
}

type RequestedStep = {
  readonly bot: { readonly bot?: string };
  readonly position: { readonly workflow?: string; readonly step: string };
};

/** Parses an action as ACTION, BEHAVIOR.ACTION or BOT.BEHAVIOR.ACTION. */
function parseRequestedStep(written: string, { behavior }: BackOptions): RequestedStep {
  const parts = written.split(".");
  const [step = written, own, bot] = parts.toReversed();
  if (behavior !== undefined || own === undefined || parts.length > 3)
    return { bot: {}, position: { ...defined({ workflow: behavior }), step: written } };
  return { bot: bot === undefined ? {} : { bot }, position: { workflow: own, step } };
}

/** Shows a person at a terminal what must be redone, and asks; elsewhere it does not ask. Refuses a step that is open. */
async function confirmBack(
  engine: Engine,
  { position }: Pick<RequestedStep, "position">,
  { yes, json }: BackOptions,
): Promise<boolean> {
  const { stream, workflows } = await engine.overview();
  const meant = position.workflow ?? stream.focus?.workflow ?? workflows[0]?.workflow;
  const steps = workflows.find(({ workflow }) => workflow === meant)?.steps ?? [];
  const from = steps.findIndex(({ step }) => step === position.step);
  if (steps[from]?.state === "started") {
    const name = stream.session === null ? position.step : `Phase ${position.step}`;
    throw new UserError(`${name} is open now, so there is nothing to go back to. See waymark status.`);
  }
  if (yes || json || !process.stdin.isTTY || !process.stdout.isTTY) return true;
  if (steps[from]?.state !== "completed") return true; // refused later, with the reason
  const again = steps.slice(from).filter(({ state }) => state === "completed" || state === "started");
  const names = again.map(({ step }) => (stream.session === null ? step : `Phase ${step}`));
  print(`To be redone: ${names.join(", ")}. Their records stay but no longer count.`);
  return /^y(es)?$/i.test(await askPerson("Go back? [y/N] "));
}

async function backToPhase(phase: string, named: string, options: BackOptions): Promise<void> {
  openTerminal(
    "Going back in a session is a person's decision: run waymark back in your own terminal. There is none here.",
  ).close();
  if (!/^\d+$/.test(phase)) throw new UserError(`${phase} is not a phase number.`);
  const engine = await findSession(workplaceFor(options), named);
  const session = engine.id.name;
  const place = { step: String(Number(phase)) };
  if (!(await confirmBack(engine, { position: place }, options))) return print("Nothing was changed.");
  const reply = await engine.back(personAtTerminal(options), place);
  const { workflow, step } = positionAfter(reply, phase);
  const warnings = warningTexts(reply.warnings, reply.id);
  if (options.json) return printJson({ session, workflow, phase: Number(step), warnings });
  print(`Phase ${step} of ${session} is open again; everything after it must be redone.`);
  for (const warning of warnings) print(paint("yellow", `! ${warning}`));
}

/** Returns the position after going back, or throws the refusal. */
function positionAfter(
  { outcome, id, stream }: Reply,
  asked: string,
): { readonly workflow: string; readonly step: string } {
  if (outcome.kind === "gone_back") return outcome.ref;
  if (outcome.kind !== "refused") throw new UserError(`Cannot go back to ${asked}.`);
  const { refusal } = outcome;
  if (stream.session === null && refusal.kind === "unknown_step")
    throw new UserError(
      `${refusal.workflow} has no action ${refusal.step}. Use one of: ${refusal.known.join(", ")}, or BEHAVIOR.ACTION for another behavior.`,
    );
  throw new UserError(refusalText({ id, stream }, refusal));
}
