import type { Reply } from "../../engine/reply.ts";
import { botRefusalMessage } from "../../messages/bot-refusals.ts";
import { phaseRefusalMessage } from "../../messages/phase-refusals.ts";
import { sessionView } from "../../workflow/session-view.ts";
import { needTerminal } from "../people/ask-person.ts";
import { print, printJson } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";
import {
  botRunTitle,
  openBots,
  type PlaceOptions,
  personAtTerminal,
  workplaceFor,
} from "../terminal/workplace-options.ts";
import { findSession } from "./find-session.ts";

export type ArchiveOptions = PlaceOptions & { readonly run?: string; readonly reason?: string; readonly json?: true };

/** Archives a session or a named run; only a person can, never a tool call. */
export async function archive(name: string, options: ArchiveOptions): Promise<void> {
  return options.run === undefined ? archiveSession(name, options) : archiveRun(name, options);
}

async function archiveSession(named: string, options: ArchiveOptions): Promise<void> {
  const workplace = workplaceFor(options);
  if ((await workplace.bots()).bots.some(({ name }) => name === named))
    throw new UserError(`${named} is a bot: name one of its runs with --run. Its default run cannot be archived.`);
  const engine = await findSession(workplace, named);
  const session = engine.id.name;
  const { runs } = await engine.peek();
  if ([...runs.values()].some(({ steps }) => [...steps.values()].some(({ blocked }) => blocked !== undefined)))
    needTerminal(`${session} is blocked, so a person decides: run waymark archive in your own terminal.`);
  const { outcome, stream } = await engine.archive(personAtTerminal(options), options.reason);
  const view = sessionView(session, stream);
  if (outcome.kind === "refused") {
    const { message, required_action } = phaseRefusalMessage(outcome.refusal, view, false);
    throw new UserError(`${message} ${required_action}`);
  }
  if (options.json) return printJson(view);
  print(`${session} is archived. The next start_workflow for the same target starts a new session.`);
}

async function archiveRun(name: string, options: ArchiveOptions): Promise<void> {
  const bot = name.split(".")[0] ?? name;
  for (const { run, engine } of await openBots(workplaceFor(options), { ...options, bot })) {
    const reply: Reply = await engine.archive(personAtTerminal(options), options.reason);
    if (reply.outcome.kind === "refused") {
      const { message, required_action } = botRefusalMessage(reply.outcome.refusal, bot);
      throw new UserError(`${message} ${required_action}`);
    }
    if (options.json) return printJson({ bot, run, archived: true });
    print(`${botRunTitle(bot, run)} is archived. Restart it with resume "restart" to continue.`);
  }
}
