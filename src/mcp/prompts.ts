import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { runName, runNameRule } from "../evidence/run-name.ts";
import type { Workplace } from "../workplace.ts";

/** A slash command for each bot, for each of its behaviors, and for each phased workflow. */
export async function listPrompts(workplace: Workplace): Promise<Prompt[]> {
  return (await commands(workplace)).map(({ textFor: _, ...prompt }) => prompt);
}

/** What a slash command says to the assistant. */
export async function getPrompt(
  workplace: Workplace,
  name: string,
  given: { readonly [name: string]: string },
): Promise<GetPromptResult> {
  const command = (await commands(workplace)).find((one) => one.name === name);
  if (command === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}.`);
  const run = given.run === undefined || given.run === "" ? undefined : runName(given.run);
  if (run === undefined && (given.run ?? "") !== "")
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `run must be ${runNameRule}.`);
  return { messages: [{ role: "user", content: { type: "text", text: command.textFor(run, given.target_file) } }] };
}

type Command = Prompt & { textFor(run: string | undefined, target: string | undefined): string };

const targetArgument = { name: "target_file", description: "The file that the work is about", required: false };
const runArgument = { name: "run", description: "A name for this work, to do several at once", required: false };

async function commands({ bots, sessions }: Workplace): Promise<Command[]> {
  const opening = (tool: string, title: string, description: string): Command => ({
    name: tool,
    title,
    description,
    arguments: [runArgument],
    textFor: (run) =>
      `Call the tool ${tool}${run === undefined ? "" : ` with run "${run}"`} and follow its instructions. If it asks whether to retry or continue, ask me.`,
  });
  const ofBots = (await bots()).bots.flatMap((bot) => [
    opening(bot.tool, bot.name, `Begin or resume ${bot.name}. ${bot.description}`.trim()),
    ...bot.behaviors.map(({ name, tool, description }) =>
      opening(tool, `${bot.name}: ${name}`, description === "" ? `Go to ${name}` : description),
    ),
  ]);
  const taken = new Set(ofBots.map(({ name }) => name));
  const workflows = (await sessions.workflows()).flatMap(({ type, title, description }) => {
    const name = type.replace(/[^\w-]/g, "_");
    if (taken.has(name)) return [];
    const textFor = (_: string | undefined, target = ""): string =>
      `Call start_workflow with workflow_type "${type}" and ${target === "" ? "if the work is about one file, target_file (ask me which)" : `target_file ${JSON.stringify(target)}`}. Do each phase as it says and complete it with real evidence.`;
    const about = description === "" ? `Start ${type}` : description;
    return [{ name, title, description: about, arguments: [targetArgument], textFor }];
  });
  return [...ofBots, ...workflows];
}
