import type { Reply } from "../engine/reply.ts";
import { saidInWords } from "../words/notices.ts";
import { UserFault } from "./fault.ts";
import { paint, print, printJson } from "./print.ts";
import { refusalText } from "./refusal-text.ts";
import { sessionFor } from "./session.ts";
import { atTerminal, type BotOptions, botsAtWork, runTitle, workplaceFor } from "./workplace.ts";

export type BackOptions = BotOptions & { readonly behavior?: string; readonly session?: string };

/** Goes back to a completed action, or phase of a session: it and what followed are superseded, and stay on record. */
export async function back(step: string, options: BackOptions): Promise<void> {
  return options.session === undefined ? backToAction(step, options) : backToPhase(step, options.session, options);
}

async function backToAction(action: string, options: BackOptions): Promise<void> {
  const [chosen, another] = await botsAtWork(workplaceFor(options), options);
  if (chosen === undefined) throw new UserFault("There is no bot here: say which session with --session.");
  if (another !== undefined) throw new UserFault("There are several bots here: say which with --bot.");
  const { bot, run, engine } = chosen;
  const behavior = options.behavior === undefined ? {} : { workflow: options.behavior };
  const reply = await engine.back(atTerminal(), { ...behavior, step: action });
  const { workflow, step } = placeOf(reply, action);
  const warnings = saidInWords(reply.warnings, reply.id);
  if (options.json)
    return printJson({ bot, ...(run === undefined ? {} : { run }), behavior: workflow, action: step, warnings });
  print(
    `${runTitle(bot, run)} is back at ${workflow}.${step}: the next call opens it, and what followed must be done again.`,
  );
  for (const warning of warnings) print(paint("yellow", `! ${warning}`));
}

async function backToPhase(phase: string, session: string, options: BackOptions): Promise<void> {
  if (!/^\d+$/.test(phase)) throw new UserFault(`${phase} is not the number of a phase.`);
  const engine = await sessionFor(workplaceFor(options), session);
  const reply = await engine.back(atTerminal(), { step: String(Number(phase)) });
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
  throw new UserFault(refusalText({ id, desk }, outcome.refusal));
}
