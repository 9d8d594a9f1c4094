import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Workplace } from "../engine/workplace.ts";

/** A slash command for each behavior and for each phased workflow. */
export async function listPrompts(workplace: Workplace): Promise<Prompt[]> {
  return (await commands(workplace)).map(({ name, title, description }) => ({ name, title, description }));
}

/** What a slash command says to the assistant. */
export async function getPrompt(workplace: Workplace, name: string): Promise<GetPromptResult> {
  const command = (await commands(workplace)).find((one) => one.name === name);
  if (command === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}.`);
  return { messages: [{ role: "user", content: { type: "text", text: command.text } }] };
}

type Command = { readonly name: string; readonly title: string; readonly description: string; readonly text: string };

async function commands({ bots, sessions }: Workplace): Promise<Command[]> {
  const behaviors = (await bots()).bots.flatMap((bot) =>
    bot.behaviors.map(({ name, tool, description }) => ({
      name: tool,
      title: `${bot.name}: ${name}`,
      description: description === "" ? `Go to ${name}` : description,
      text: `Call the tool ${tool} and follow its instructions. If it asks whether to retry or continue, ask me.`,
    })),
  );
  const taken = new Set(behaviors.map(({ name }) => name));
  const workflows = (await sessions.workflows()).flatMap(({ type, title, description }) => {
    const name = type.replace(/[^\w-]/g, "_");
    if (taken.has(name)) return [];
    const text = `Call start_workflow with workflow_type "${type}" and, if the work is about one file, target_file (ask me which). Do each phase as it says and complete it with real evidence.`;
    return [{ name, title, description: description === "" ? `Start ${type}` : description, text }];
  });
  return [...behaviors, ...workflows];
}
