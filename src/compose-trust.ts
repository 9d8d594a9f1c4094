import { resolve } from "node:path";
import { scriptsBehind } from "./checks/commands/behind.ts";
import { definitionOf, pinnedValue } from "./checks/commands/pins.ts";
import type { Decided } from "./checks/trust.ts";
import { trustHere } from "./compose-checks.ts";
import { readPlan } from "./definitions/bot-definitions.ts";
import { readBots } from "./definitions/bots/live-bots.ts";
import { listWorkflows } from "./definitions/discretion/list-workflows.ts";
import { readWorkflow } from "./definitions/phases/read-workflow.ts";
import { readInside } from "./definitions/stand.ts";
import type { CommandCheck } from "./evidence/check.ts";
import type { Gate } from "./evidence/gate.ts";
import { realPathOrNamed } from "./paths/real-path.ts";
import { runPlaces } from "./repository/run-places.ts";

export type { Decided, Trust } from "./checks/trust.ts";
export { trustHere } from "./compose-checks.ts";

/** A command that the definitions would have run, with all that a person has to see before they trust it. */
export type CommandListed = Pick<Decided, "definition" | "place" | "file" | "name" | "shown" | "behind"> & {
  readonly line: number;
  readonly run: readonly string[];
  readonly trusted: boolean;
  /** What a person has said to just this, where they have. */
  readonly said?: Decided;
  /** What was trusted under this name in this file last, where it was not just this. */
  readonly before?: Decided;
};

/** Where commands are looked for, and where they would run. */
export type TrustPlaces = { readonly definitions: string; readonly root: string; readonly projectArea: string };

/** Every command of a definitions folder, each once for each project area, as it would run there now. */
export async function listCommands(places: TrustPlaces): Promise<readonly CommandListed[]> {
  const runs = runPlaces();
  const listed = new Map<string, CommandListed>();
  for (const { check, area } of readInside(places.definitions, () => commandsIn(places))) {
    const place = await realPathOrNamed(await runs.inMain(area));
    const decided = await trustHere(area).decided(place);
    const definition = await definitionOf(area, check);
    const { file, line } = check.source ?? { file: "", line: 1 };
    const { name, run } = check;
    const behind = await scriptsBehind(area, check);
    const said = decided.find((one) => one.definition === definition);
    const trusted = said?.word === "yes";
    const same = decided.findLast((one) => one.word === "yes" && one.file === file && one.name === name);
    const isOther = same !== undefined && (!trusted || differences(same.behind, behind).length > 0);
    listed.set(`${place} ${file}:${line} ${definition}`, {
      ...{ definition, place, file, line, name, run, behind, trusted },
      shown: await showing(area, check),
      ...(said === undefined ? {} : { said }),
      ...(isOther ? { before: same } : {}),
    });
  }
  return [...listed.values()];
}

/** The labels under which two things shown differ. */
export function differences(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): readonly string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((label) => one[label] !== other[label]);
}

/** Everything that decides what runs, by label. */
async function showing(area: string, check: CommandCheck): Promise<Record<string, string>> {
  const { run, cwd, env, exit, reports, gives, reads, pins, timeoutSeconds } = check;
  const shown: Record<string, string> = { runs: JSON.stringify(run), in: cwd, "at most": `${timeoutSeconds} s` };
  if (env.length > 0) shown["is handed"] = `${env.join(", ")} of your environment`;
  if (exit !== 0) shown["passes with"] = `exit code ${exit}`;
  for (const { format, path } of reports) shown[`report ${path}`] = format;
  for (const [field, fact] of Object.entries(gives)) shown[`gives ${field}`] = fact;
  if (reads !== undefined) shown["depends on"] = reads.join(", ");
  for (const pin of pins) {
    const value = await pinnedValue(area, pin);
    const label = pin.pointer === undefined ? pin.file : `${pin.file}#${pin.pointer}`;
    shown[`pin ${label}`] = value === null ? "nothing is there" : JSON.stringify(value);
  }
  return shown;
}

type Placed = { readonly check: CommandCheck; readonly area: string };

function commandsIn({ definitions, root, projectArea }: TrustPlaces): readonly Placed[] {
  const read = readBots(definitions);
  const gates: { readonly gate: Gate | undefined; readonly area: string }[] = read.bots.flatMap((live) => {
    const area = resolve(root, live.tree.projectArea ?? projectArea);
    const { workflows } = readPlan(live.tree.name, live, read.settings).plan;
    return workflows.flatMap(({ steps }) => steps.map(({ gate }) => ({ gate, area })));
  });
  for (const { type } of listWorkflows(definitions)) {
    const reading = readWorkflow(definitions, projectArea, type, {});
    if ("workflow" in reading) gates.push(...reading.workflow.phases.map(({ gate }) => ({ gate, area: projectArea })));
  }
  const all = gates.flatMap(({ gate, area }) =>
    (gate?.checks ?? []).flatMap((check): Placed[] => (check.kind === "command" ? [{ check, area }] : [])),
  );
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}
