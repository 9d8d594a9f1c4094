import type { Reply } from "../engine/reply.ts";
import { botRefusal } from "../words/bots.ts";
import { phaseRefusal } from "../words/phases.ts";
import { sessionView } from "../words/session-view.ts";
import { UserFault } from "./fault.ts";
import { print, printJson } from "./print.ts";
import { sessionFor } from "./session.ts";
import { atTerminal, botsAtWork, type PlaceOptions, runTitle, workplaceFor } from "./workplace.ts";

export type ArchiveOptions = PlaceOptions & { readonly run?: string; readonly reason?: string; readonly json?: true };

/** Puts a session or a named run of a bot away: only a person does that, never a tool call. What it proved stays on record. */
export async function archive(name: string, options: ArchiveOptions): Promise<void> {
  return options.run === undefined ? archiveSession(name, options) : archiveRun(name, options);
}

async function archiveSession(session: string, options: ArchiveOptions): Promise<void> {
  const workplace = workplaceFor(options);
  if ((await workplace.bots()).bots.some(({ name }) => name === session))
    throw new UserFault(`${session} is a bot: say which of its runs with --run. Its own work is never put away.`);
  const engine = await sessionFor(workplace, session);
  const { outcome, desk } = await engine.archive(atTerminal(), options.reason);
  const view = sessionView(session, desk);
  if (outcome.kind === "refused") {
    const { message, required_action } = phaseRefusal(outcome.refusal, view, false);
    throw new UserFault(`${message} ${required_action}`);
  }
  if (options.json) return printJson(view);
  print(`${session} is archived. The next start_workflow for the same target begins a new session.`);
}

async function archiveRun(name: string, options: ArchiveOptions): Promise<void> {
  const bot = name.split(".")[0] ?? name;
  for (const { run, engine } of await botsAtWork(workplaceFor(options), { ...options, bot })) {
    const reply: Reply = await engine.archive(atTerminal(), options.reason);
    if (reply.outcome.kind === "refused") {
      const { message, required_action } = botRefusal(reply.outcome.refusal, bot);
      throw new UserFault(`${message} ${required_action}`);
    }
    if (options.json) return printJson({ bot, run, archived: true });
    print(
      `${runTitle(bot, run)} is archived: it takes nothing more until somebody begins it anew with resume "restart".`,
    );
  }
}
