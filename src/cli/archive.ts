import { phaseRefusal } from "../words/phases.ts";
import { sessionView } from "../words/session-view.ts";
import { UserFault } from "./fault.ts";
import { print, printJson } from "./print.ts";
import { sessionFor } from "./session.ts";
import { atTerminal, type PlaceOptions, workplaceFor } from "./workplace.ts";

export type ArchiveOptions = PlaceOptions & { readonly reason?: string; readonly json?: true };

/** Puts a session away: only a person does that, never a tool call. What it proved stays on record. */
export async function archive(session: string, options: ArchiveOptions): Promise<void> {
  const engine = await sessionFor(workplaceFor(options), session);
  const { outcome, desk } = await engine.archive(atTerminal(), options.reason);
  const view = sessionView(session, desk);
  if (outcome.kind === "refused") {
    const { message, required_action } = phaseRefusal(outcome.refusal, view, false);
    throw new UserFault(`${message} ${required_action}`);
  }
  if (options.json) return printJson(view);
  print(`${session} is archived. The next start_workflow for the same target begins a new session.`);
}
