import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Workplace } from "../engine/workplace.ts";
import { runName, runNameRule } from "../workflow/run-name.ts";

/** Lists a slash command for each bot, behavior and phased workflow, and one that starts any of them. */
export async function listPrompts(workplace: Workplace): Promise<Prompt[]> {
  return (await commands(workplace)).map(({ textFor: _, ...prompt }) => prompt);
}

/** The prompt of a slash command. */
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
  return {
    messages: [
      { role: "user", content: { type: "text", text: command.textFor(run, given.target_file, given.workflow) } },
    ],
  };
}

type Command = Prompt & {
  textFor(run: string | undefined, target: string | undefined, workflow: string | undefined): string;
};

const workflowArgument = { name: "workflow", description: "The phased workflow", required: false };
const targetArgument = { name: "target_file", description: "The file to work on", required: false };
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
  const known = (await sessions.workflows()).map((one) => ({ ...one, name: one.type.replace(/[^\w-]/g, "_") }));
  const ofWorkflows = known.flatMap(({ name, type, title, description }): Command[] => {
    if (taken.has(name)) return [];
    const textFor: Command["textFor"] = (_, target) => startText(type, target);
    const about = description === "" ? `Start ${type}` : description;
    return [{ name, title, description: about, arguments: [targetArgument], textFor }];
  });
  return [...ofBots, ...ofWorkflows, ...starting(known, ofBots)];
}

/** The slash command for every phased workflow, `/waymark:start WORKFLOW FILE`; none if there is no workflow, or one of that name. Given a bot, it opens the bot. */
function starting(
  known: readonly { readonly type: string; readonly name: string }[],
  ofBots: readonly Command[],
): Command[] {
  const name = "start";
  if (known.length === 0 || [...ofBots, ...known].some((one) => one.name === name)) return [];
  const types = known.map(({ type }) => type);
  const only = types.length === 1 ? types[0] : undefined;
  const asking = (target: string | undefined): string =>
    `Ask me which workflow to start: ${types.join(", ")}. ${startText(undefined, target)}`;
  return [
    {
      name,
      title: "Start a workflow",
      description: `Start or resume a phased workflow: ${types.join(", ")}`,
      arguments: [workflowArgument, targetArgument],
      textFor: (run, target, workflow = "") => {
        if (workflow === "") return only === undefined ? asking(target) : startText(only, target);
        const found = known.find(({ type, name: plain }) => type === workflow || plain === workflow);
        if (found !== undefined) return startText(found.type, target);
        const bot = ofBots.find((one) => one.name === workflow || one.name === `${workflow}_bot`);
        return (
          bot?.textFor(run, target, undefined) ??
          `There is no workflow ${JSON.stringify(workflow)} here. ${asking(target)}`
        );
      },
    },
  ];
}

function startText(type: string | undefined, target = ""): string {
  const which = type === undefined ? "that workflow_type" : `workflow_type ${JSON.stringify(type)}`;
  const about =
    target === ""
      ? "if the work is about one file, target_file (ask me which)"
      : `target_file ${JSON.stringify(target)}`;
  return `Call start_workflow with ${which} and ${about}. Do each phase as it says and complete it with real evidence.`;
}
