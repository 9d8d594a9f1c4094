import { resolve } from "node:path";
import type { TrustDecision } from "../checks/command-trust.ts";
import { packageConfigOf } from "../checks/commands/package-config.ts";
import { packageScriptsOf } from "../checks/commands/package-scripts.ts";
import { commandHash, pinState } from "../checks/commands/pinned-command.ts";
import { readPlan } from "../definitions/bot-definitions.ts";
import { botsIn } from "../definitions/bots/live-bots.ts";
import { listWorkflows } from "../definitions/disclosure/list-workflows.ts";
import { readWorkflow } from "../definitions/phases/read-workflow.ts";
import { readSnapshot } from "../definitions/snapshot/keep-snapshot.ts";
import type { CommandCheck } from "../gates/check.ts";
import type { Gate } from "../gates/gate.ts";
import { defined } from "../kit/defined.ts";
import { realPathOrSame } from "../kit/real-path.ts";
import { findRunFolders } from "../repository/run-folders.ts";
import { askedChecks } from "./asked-checks.ts";
import { machineTrust } from "./wire-checks.ts";

export type { CommandTrust, TrustDecision } from "../checks/command-trust.ts";
export { machineTrust } from "./wire-checks.ts";

/** A command of the definitions, with everything a person must see before trusting it. */
export type ListedCommand = Pick<TrustDecision, "definition" | "place" | "file" | "name" | "shown" | "behind"> & {
  readonly line: number;
  readonly run: readonly string[];
  readonly trusted: boolean;
  /** The decision about exactly this command. */
  readonly said?: TrustDecision;
  /** The last trusted command of this name in this file, if it differs. */
  readonly before?: TrustDecision;
};

/** The definitions folder, and where its commands would run. */
export type TrustPlaces = { readonly definitions: string; readonly root: string; readonly projectArea: string };

/** Every command of a definitions folder, once per project area, as it would run now. */
export async function listCommands(places: TrustPlaces): Promise<readonly ListedCommand[]> {
  const runs = findRunFolders();
  const listed = new Map<string, ListedCommand>();
  const asked = (await askedChecks(places.projectArea)).map((check) => ({
    check,
    area: places.projectArea,
    isAsked: true,
  }));
  for (const { check, area, ...about } of [...(await commandsIn(places)), ...asked]) {
    const place = await realPathOrSame(await runs.inMain(area));
    const decided = await machineTrust(area).decided(place);
    const definition = await commandHash(area, check);
    const isListed = [...listed.values()].some((one) => one.place === place && one.definition === definition);
    if ("isAsked" in about && isListed) continue; // the project's own definitions name it too
    const { file, line } = check.source ?? { file: "", line: 1 };
    const { name, run } = check;
    const behind = await packageScriptsOf(area, check);
    const said = decided.find((one) => one.definition === definition);
    const trusted = said?.word === "yes";
    const same = decided.findLast((one) => one.word === "yes" && one.file === file && one.name === name);
    const isOther = same !== undefined && (!trusted || differences(same.behind, behind).length > 0);
    listed.set(`${place} ${file}:${line} ${definition}`, {
      ...{ definition, place, file, line, name, run, behind, trusted },
      shown: await commandDetails(area, check),
      ...defined({ said }),
      ...(isOther ? { before: same } : {}),
    });
  }
  return [...listed.values()];
}

/** The area of the main work tree, which trust is given for. */
export async function mainArea(area: string): Promise<string> {
  return findRunFolders().inMain(area);
}

/** The labels under which two things differ. */
export function differences(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): readonly string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((label) => one[label] !== other[label]);
}

/** Everything that decides what runs, by label. */
async function commandDetails(area: string, check: CommandCheck): Promise<Record<string, string>> {
  const { run, cwd, env, exit, reports, gives, reads, pins, timeoutSeconds } = check;
  const shown: Record<string, string> = { runs: JSON.stringify(run), in: cwd, "at most": `${timeoutSeconds} s` };
  if (env.length > 0) shown["is handed"] = `${env.join(", ")} of your environment`;
  if (exit !== 0) shown["passes with"] = `exit code ${exit}`;
  for (const { format, path } of reports) shown[`report ${path}`] = format;
  for (const [field, fact] of Object.entries(gives)) shown[`gives ${field}`] = fact;
  if (reads !== undefined) shown["depends on"] = reads.join(", ");
  for (const pin of pins) {
    const state = await pinState(area, pin);
    const label = pin.pointer === undefined ? pin.file : `${pin.file}#${pin.pointer}`;
    shown[`pin ${label}`] =
      "value" in state
        ? JSON.stringify(state.value)
        : "absent" in state
          ? "nothing is there"
          : `unreadable: ${state.unreadable}`;
  }
  for (const [file, { hash }] of await packageConfigOf(area, check))
    shown[`configured by ${configName(file)}`] = hash.slice(0, 12);
  return shown;
}

function configName(file: string): string {
  const [, name] = /^outside (.+)$/.exec(file) ?? [];
  return name === undefined ? file : `${name} outside the project`;
}

type CommandInArea = { readonly check: CommandCheck; readonly area: string };

async function commandsIn({ definitions: folder, root, projectArea }: TrustPlaces): Promise<readonly CommandInArea[]> {
  const definitions = await readSnapshot(folder);
  const read = botsIn(definitions);
  const gates: { readonly gate: Gate | undefined; readonly area: string }[] = read.bots.flatMap((live) => {
    const area = resolve(root, live.tree.projectArea ?? projectArea);
    const { workflows } = readPlan(live.tree.name, live, read.settings).plan;
    return workflows.flatMap(({ steps }) => steps.map(({ gate }) => ({ gate, area })));
  });
  for (const { type } of listWorkflows(definitions)) {
    const reading = await readWorkflow(definitions, projectArea, type, {});
    if ("workflow" in reading) gates.push(...reading.workflow.phases.map(({ gate }) => ({ gate, area: projectArea })));
  }
  const all = gates.flatMap(({ gate, area }) =>
    (gate?.checks ?? []).flatMap((check): CommandInArea[] => (check.kind === "command" ? [{ check, area }] : [])),
  );
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}
