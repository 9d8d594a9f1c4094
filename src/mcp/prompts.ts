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
  const own = [...ofBots, ...ofWorkflows, ...starting(known, ofBots)];
  return own.some(({ name }) => name === author.name) ? own : [...own, author];
}

/** The slash command that has an assistant draft a workflow; the notation fits on a page. */
const author: Command = {
  name: "author",
  title: "Draft a workflow",
  description: "Turn a process into a workflow page, for a person to bring in",
  arguments: [],
  textFor: () => authorText,
};

const authorText = `Help me write a workflow for Waymark. Ask me about my process first, or read the page I name.
Draft one Markdown page outside .waymark/, for example drafts/release.md:

# Release

## Phase 1: Prepare
What to do in this phase, in plain sentences.

### Evidence
- \`version\`: text
- \`coverage\`: number, at least 80
- \`severity\`: one of low, medium, high
- \`report\`: file
- Release notes that a customer understands

## Phase 2: Publish
The product owner approves the release.

Each phase is a numbered section. What it asks for is a list under a heading or label such as Evidence, Exit criteria or "Done when". A name in backticks with a type (text, integer, number, boolean, list, file, url, date) or a rule (at least, at most, one of, must be) is enforced; any other line is asked for as written, and rests on what the assistant says. A line in which a person approves, agrees or signs off asks that person. Prefer lines that can be enforced, and few of them.
Then run: waymark check drafts/release.md
Show me what is enforced, asked and not read, and improve the page with me. I bring it in myself with: waymark adopt drafts/release.md`;

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
