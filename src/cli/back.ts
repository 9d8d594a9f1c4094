import type { Engine } from "../engine/engine.ts";
import type { Reply } from "../engine/reply.ts";
import { saidInWords } from "../words/notices.ts";
import { askPerson } from "./ask-person.ts";
import { UserFault } from "./fault.ts";
import { paint, print, printJson } from "./print.ts";
import { refusalText } from "./refusal-text.ts";
import { sessionFor } from "./session.ts";
import { atTerminal, type BotOptions, botsAtWork, runTitle, workplaceFor } from "./workplace.ts";

export type BackOptions = BotOptions & { readonly behavior?: string; readonly session?: string; readonly yes?: true };

/** Goes back to a completed action, or phase of a session: it and what followed are superseded, and stay on record. */
export async function back(step: string, options: BackOptions): Promise<void> {
  return options.session === undefined ? backToAction(step, options) : backToPhase(step, options.session, options);
}

async function backToAction(written: string, options: BackOptions): Promise<void> {
  const asked = asAsked(written, options);
  const [chosen, another] = await botsAtWork(workplaceFor(options), { ...options, ...asked.bot });
  if (chosen === undefined) throw new UserFault("There is no bot here: say which session with --session.");
  if (another !== undefined) throw new UserFault("There are several bots here: say which with --bot.");
  const { bot, run, engine } = chosen;
  if (!(await isMeant(engine, asked, options))) return print("Nothing was changed.");
  const reply = await engine.back(atTerminal(), asked.place);
  const { workflow, step } = placeOf(reply, asked.place.step);
  const warnings = saidInWords(reply.warnings, reply.id);
  if (options.json)
    return printJson({ bot, ...(run === undefined ? {} : { run }), behavior: workflow, action: step, warnings });
  print(
    `${runTitle(bot, run)} is back at ${workflow}.${step}: the next call opens it, and what followed must be done again.`,
  );
  for (const warning of warnings) print(paint("yellow", `! ${warning}`));
}

type Asked = {
  readonly bot: { readonly bot?: string };
  readonly place: { readonly workflow?: string; readonly step: string };
};

/** An action as log and status write it: by itself, after its behavior, or after that and its bot. */
function asAsked(written: string, { behavior }: BackOptions): Asked {
  const parts = written.split(".");
  const [step = written, own, bot] = parts.toReversed();
  if (behavior !== undefined || own === undefined || parts.length > 3)
    return { bot: {}, place: { ...(behavior === undefined ? {} : { workflow: behavior }), step: written } };
  return { bot: bot === undefined ? {} : { bot }, place: { workflow: own, step } };
}

/** Tells the person at a terminal what would have to be done again, and asks; nobody is asked elsewhere. */
async function isMeant(engine: Engine, { place }: Pick<Asked, "place">, { yes, json }: BackOptions): Promise<boolean> {
  if (yes || json || !process.stdin.isTTY || !process.stdout.isTTY) return true;
  const { desk, workflows } = await engine.map();
  const meant = place.workflow ?? desk.focus?.workflow ?? workflows[0]?.workflow;
  const steps = workflows.find(({ workflow }) => workflow === meant)?.steps ?? [];
  const from = steps.findIndex(({ step }) => step === place.step);
  if (steps[from]?.state !== "completed") return true; // it is refused, with why
  const again = steps.slice(from).filter(({ state }) => state === "completed" || state === "started");
  const names = again.map(({ step }) => (desk.session === null ? step : `Phase ${step}`));
  print(`To be done again: ${names.join(", ")}. What is on record of them stays there and no longer counts.`);
  return /^y(es)?$/i.test(await askPerson("Go back? [y/N] "));
}

async function backToPhase(phase: string, session: string, options: BackOptions): Promise<void> {
  if (!/^\d+$/.test(phase)) throw new UserFault(`${phase} is not the number of a phase.`);
  const engine = await sessionFor(workplaceFor(options), session);
  const place = { step: String(Number(phase)) };
  if (!(await isMeant(engine, { place }, options))) return print("Nothing was changed.");
  const reply = await engine.back(atTerminal(), place);
  const { workflow, step } = placeOf(reply, phase);
  const warnings = saidInWords(reply.warnings, reply.id);
  if (options.json) return printJson({ session, workflow, phase: Number(step), warnings });
  print(`Phase ${step} of ${session} is open again; what followed must be done again.`);
  for (const warning of warnings) print(paint("yellow", `! ${warning}`));
}

/** Where going back led, or why it did not. */
function placeOf({ outcome, id, desk }: Reply, asked: string): { readonly workflow: string; readonly step: string } {
  if (outcome.kind === "gone_back") return outcome.ref;
  if (outcome.kind !== "refused") throw new UserFault(`${asked} cannot be gone back to.`);
  const { refusal } = outcome;
  if (id.kind === "bot" && refusal.kind === "unknown_step")
    throw new UserFault(
      `${refusal.workflow} has no action ${refusal.step}. Use one of: ${refusal.known.join(", ")}; of another behavior, BEHAVIOR.ACTION.`,
    );
  throw new UserFault(refusalText({ id, desk }, refusal));
}
