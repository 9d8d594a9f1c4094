import { randomUUID } from "node:crypto";
import { newSession } from "../engine/session.ts";
import { UserFault } from "./fault.ts";
import { paint, print, printJson } from "./print.ts";
import { type BotOptions, enginesFor } from "./workplace.ts";

/** Goes back to a completed action: it and what followed are superseded, and stay on record. */
export async function back(action: string, options: BotOptions & { readonly behavior?: string }): Promise<void> {
  const [chosen, another] = enginesFor(options);
  if (chosen === undefined) throw new UserFault("There is no bot here: a phased session does not go back.");
  if (another !== undefined) throw new UserFault("There are several bots here: say which with --bot.");
  const { bot, engine } = chosen;
  const behavior = options.behavior === undefined ? {} : { workflow: options.behavior };
  const { outcome, warnings } = await engine.back(newSession(randomUUID()), { ...behavior, step: action });
  if (outcome.kind === "refused") throw new UserFault(`${outcome.refusal.message} ${outcome.refusal.required_action}`);
  if (outcome.kind !== "gone_back") throw new UserFault(`${action} cannot be gone back to.`);
  const { workflow, step } = outcome.ref;
  if (options.json) return printJson({ bot, behavior: workflow, action: step, warnings });
  print(`${bot} is back at ${workflow}.${step}: the next call opens it, and what followed must be done again.`);
  for (const warning of warnings) print(paint("yellow", `! ${warning}`));
}
