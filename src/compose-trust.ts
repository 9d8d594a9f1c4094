import { definitionOf, pinnedValue } from "./checks/commands/pins.ts";
import type { Trust } from "./checks/trust.ts";
import { readPlan } from "./definitions/bot-definitions.ts";
import { readBots } from "./definitions/bots/live-bots.ts";
import { listWorkflows } from "./definitions/discretion/list-workflows.ts";
import { readWorkflow } from "./definitions/phases/read-workflow.ts";
import type { CommandCheck } from "./evidence/check.ts";
import type { Gate } from "./evidence/gate.ts";

export { trustHere } from "./compose-checks.ts";

/** A command that the definitions would have run, with all that a person has to see before they trust it. */
export type CommandListed = {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly run: readonly string[];
  readonly cwd: string;
  readonly env: readonly string[];
  readonly pins: readonly { readonly pin: string; readonly value: string }[];
  readonly definition: string;
  readonly trusted: boolean;
};

/** Every command of a definitions folder, each once, as it would run in a project area now. */
export async function listCommands(
  definitions: string,
  projectArea: string,
  trust: Trust,
): Promise<readonly CommandListed[]> {
  const listed = new Map<string, CommandListed>();
  for (const check of commandsIn(definitions, projectArea)) {
    const definition = await definitionOf(projectArea, check);
    const { file, line } = check.source ?? { file: "", line: 1 };
    const { name, run, cwd, env } = check;
    const pins = await Promise.all(
      check.pins.map(async (pin) => {
        const value = await pinnedValue(projectArea, pin);
        const shown = pin.pointer === undefined ? pin.file : `${pin.file}#${pin.pointer}`;
        return { pin: shown, value: typeof value === "string" ? value : JSON.stringify(value) };
      }),
    );
    const trusted = await trust.has(definition);
    listed.set(`${file}:${line} ${definition}`, { file, line, name, run, cwd, env, pins, definition, trusted });
  }
  return [...listed.values()];
}

function commandsIn(definitions: string, projectArea: string): readonly CommandCheck[] {
  const read = readBots(definitions);
  const gates: (Gate | undefined)[] = read.bots.flatMap((live) =>
    readPlan(live.tree.name, live, read.settings).plan.workflows.flatMap(({ steps }) => steps.map(({ gate }) => gate)),
  );
  for (const { type } of listWorkflows(definitions)) {
    const reading = readWorkflow(definitions, projectArea, type, {});
    if ("workflow" in reading) gates.push(...reading.workflow.phases.map(({ gate }) => gate));
  }
  const checks = gates.flatMap((gate) => gate?.checks ?? []).filter((check) => check.kind === "command");
  return [...new Map(checks.map((check) => [JSON.stringify(check), check])).values()];
}
