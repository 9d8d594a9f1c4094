import { ProtocolError, ProtocolErrorCode, type ReadResourceResult, type Resource } from "@modelcontextprotocol/server";
import type { JsonObject } from "../evidence/json.ts";
import { runName } from "../evidence/run-name.ts";
import { type SessionView, sessionView } from "../words/session-view.ts";
import type { Workplace } from "../workplace.ts";
import { decodeName } from "./decode-name.ts";
import { artifactsUri } from "./phase-reply.ts";
import { contentTemplate, listSaved, readSaved } from "./saved-content.ts";

const mimeType = "application/json";

/** For each bot: where it stands, and its log. For each session: how it stands, and what it has produced. Then the files that the first of them have saved. */
export async function listResources(workplace: Workplace): Promise<Resource[]> {
  const { sessions, runs } = workplace;
  const { bots } = await workplace.bots();
  const newest = (await sessions.all(mostListed)).slice(0, mostListed).map(({ engine }) => engine);
  const named = await Promise.all(
    bots.map(async ({ name }) => (await runs(name)).slice(0, mostListed).map((run) => ({ name, run }))),
  );
  const own = await Promise.all(bots.map(async ({ name }) => workplace.engine(name, await workplace.runHere(name))));
  const others = named.flat().slice(0, mostLookedInto);
  const inRuns = await Promise.all(others.map(({ name, run }) => workplace.engine(name, run)));
  const engines = new Set([...own, ...inRuns, ...newest.slice(0, mostLookedInto)]);
  return [
    ...bots.flatMap(({ name }, at) => [
      ...ofBot(name),
      ...(named[at] ?? []).flatMap((one) => ofBot(one.name, one.run)),
    ]),
    ...newest.flatMap(({ id }) => ofSession(id.name)),
    ...(await Promise.all([...engines].map((engine) => listSaved(engine, mostLookedInto)))).flat(),
  ];
}

/** A list that nobody can read helps nobody: the others are read by their name. */
const mostListed = 50;

/** Of so many runs and sessions the newest files are listed, of each so many. */
const mostLookedInto = 10;

/** How the resources of runs are named. */
export const resourceTemplates = [
  { uriTemplate: "waymark://{bot}/runs/{+run}/state", name: "run state", title: "Where a run stands", mimeType },
  { uriTemplate: "waymark://{bot}/runs/{+run}/log", name: "run log", title: "What a run has done", mimeType },
  contentTemplate,
];

function ofBot(bot: string, run?: string): Resource[] {
  const uri = `waymark://${bot}${run === undefined ? "" : `/runs/${run}`}`;
  const name = run === undefined ? bot : `${bot} ${run}`;
  return [
    { uri: `${uri}/state`, name: `${name} state`, title: `Where ${name} stands`, mimeType },
    { uri: `${uri}/log`, name: `${name} log`, title: `What ${name} has done`, mimeType },
  ];
}

function ofSession(id: string): Resource[] {
  return [
    { uri: `waymark://sessions/${id}/state`, name: `${id} state`, title: `Where ${id} stands`, mimeType },
    { uri: artifactsUri(id), name: `${id} artifacts`, title: `What ${id} has produced`, mimeType },
  ];
}

/** Reads one of them: what workflow_state.json, activity_log.json or the session's file says, or a file that a run has saved. */
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
  const desk = id === undefined ? undefined : await (await sessions.find(id))?.glance();
  const view: SessionView | null = id === undefined || desk === undefined ? null : sessionView(id, desk);
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
