import { ProtocolError, ProtocolErrorCode, type ReadResourceResult, type Resource } from "@modelcontextprotocol/server";
import type { Workplace } from "../engine/workplace.ts";
import type { JsonObject } from "../kit/json.ts";
import { runName } from "../workflow/run-name.ts";
import { type SessionView, sessionView } from "../workflow/session-view.ts";
import { decodeName } from "./decode-name.ts";
import { artifactsUri } from "./phase-reply.ts";
import { contentTemplate, listSaved, readSaved } from "./saved-content.ts";

const mimeType = "application/json";

/** Lists state and log of each bot, state and artifacts of each session, and the files that the first of them have saved. */
export async function listResources(workplace: Workplace): Promise<Resource[]> {
  const { sessions, runs } = workplace;
  const { bots } = await workplace.bots();
  const newest = (await sessions.all(maxListed)).slice(0, maxListed).map(({ engine }) => engine);
  const named = await Promise.all(
    bots.map(async ({ name }) => (await runs(name, maxListed)).map((run) => ({ name, run }))),
  );
  const own = await Promise.all(bots.map(async ({ name }) => workplace.engine(name, await workplace.runHere(name))));
  const others = named.flat().slice(0, maxWithFiles);
  const inRuns = await Promise.all(others.map(({ name, run }) => workplace.engine(name, run)));
  const engines = new Set([...own, ...inRuns, ...newest.slice(0, maxWithFiles)]);
  return [
    ...bots.flatMap(({ name }, at) => [
      ...botResources(name),
      ...(named[at] ?? []).flatMap((one) => botResources(one.name, one.run)),
    ]),
    ...newest.flatMap(({ id }) => sessionResources(id.name)),
    ...(await Promise.all([...engines].map((engine) => listSaved(engine, maxWithFiles)))).flat(),
  ];
}

/** The limit of the list; the others can be read by name. */
const maxListed = 10;

/** The number of runs and sessions whose newest files are listed, and of files for each. */
const maxWithFiles = 10;

/** The address templates of runs. */
export const resourceTemplates = [
  { uriTemplate: "waymark://{bot}/runs/{+run}/state", name: "run state", title: "State of a run", mimeType },
  { uriTemplate: "waymark://{bot}/runs/{+run}/log", name: "run log", title: "Log of a run", mimeType },
  contentTemplate,
];

function botResources(bot: string, run?: string): Resource[] {
  const uri = `waymark://${bot}${run === undefined ? "" : `/runs/${run}`}`;
  const name = run === undefined ? bot : `${bot} ${run}`;
  return [
    { uri: `${uri}/state`, name: `${name} state`, title: `State of ${name}`, mimeType },
    { uri: `${uri}/log`, name: `${name} log`, title: `Log of ${name}`, mimeType },
  ];
}

function sessionResources(id: string): Resource[] {
  return [
    { uri: `waymark://sessions/${id}/state`, name: `${id} state`, title: `State of ${id}`, mimeType },
    { uri: artifactsUri(id), name: `${id} artifacts`, title: `Artifacts of ${id}`, mimeType },
  ];
}

/** Reads a resource: workflow_state.json, activity_log.json, the session's file, or a saved file. */
export async function readResource(workplace: Workplace, uri: string): Promise<ReadResourceResult> {
  const saved = await readSaved(workplace, uri);
  if (saved !== undefined) return { contents: [{ uri, ...saved }] };
  const value = (await readSession(workplace, uri)) ?? (await readBot(workplace, uri));
  if (value === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no resource ${uri}.`, { uri });
  return { contents: [{ uri, mimeType, text: JSON.stringify(value, null, 2) }] };
}

async function readSession({ sessions }: Workplace, uri: string): Promise<JsonObject | undefined> {
  const [, id, part] = /^waymark:\/\/sessions\/([^/]+)\/(state|artifacts)$/.exec(uri) ?? [];
  const name = decodeName(id ?? "");
  const stream = name === "" ? undefined : await (await sessions.find(name))?.peek();
  const view: SessionView | null = stream === undefined ? null : sessionView(name, stream);
  if (view === null) return undefined;
  const { phase_artifacts: artifacts, ...rest } = view;
  return part === "artifacts" ? artifacts : { ...rest, phase_artifacts: artifacts };
}

async function readBot(workplace: Workplace, uri: string): Promise<unknown> {
  const [, name, written, part] = /^waymark:\/\/([^/]+)(?:\/runs\/(.+))?\/(state|log)$/.exec(uri) ?? [];
  const bot = (await workplace.bots()).bots.find((candidate) => candidate.name === name);
  if (bot === undefined || (part !== "state" && part !== "log")) return undefined;
  const run = written === undefined ? await workplace.runHere(bot.name) : runName(decodeName(written));
  if (written !== undefined && (run === undefined || !(await workplace.hasRun(bot.name, run)))) return undefined;
  return (await (await workplace.engine(bot.name, run)).views())[part];
}
