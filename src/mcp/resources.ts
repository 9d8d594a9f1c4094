import { ProtocolError, ProtocolErrorCode, type ReadResourceResult, type Resource } from "@modelcontextprotocol/server";
import type { JsonObject } from "../evidence/json.ts";
import { runName } from "../evidence/run-name.ts";
import { type SessionView, sessionView } from "../words/session-view.ts";
import type { Workplace } from "../workplace.ts";
import { artifactsUri } from "./phase-reply.ts";

const mimeType = "application/json";

/** For each bot: where it stands, and its log. For each session: how it stands, and what it has produced. */
export async function listResources({ bots, runs, sessions }: Workplace): Promise<Resource[]> {
  const newest = (await sessions.all()).slice(0, mostListed).map(({ engine }) => engine.id.name);
  const ofBots = (await bots()).bots.map(async ({ name }) => [
    ...ofBot(name),
    ...(await runs(name)).slice(0, mostListed).flatMap((run) => ofBot(name, run)),
  ]);
  return [...(await Promise.all(ofBots)).flat(), ...newest.flatMap(ofSession)];
}

/** A list that nobody can read helps nobody: the others are read by their name. */
const mostListed = 50;

/** How the resources of runs are named. */
export const resourceTemplates = [
  { uriTemplate: "waymark://{bot}/runs/{+run}/state", name: "run state", title: "Where a run stands", mimeType },
  { uriTemplate: "waymark://{bot}/runs/{+run}/log", name: "run log", title: "What a run has done", mimeType },
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

/** Reads one of them: what workflow_state.json, activity_log.json or the session's file says. */
export async function readResource(workplace: Workplace, uri: string): Promise<ReadResourceResult> {
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

function decodeName(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return "";
  }
}

async function readBot(workplace: Workplace, uri: string): Promise<unknown> {
  const [, name, written, part] = /^waymark:\/\/([^/]+)(?:\/runs\/(.+))?\/(state|log)$/.exec(uri) ?? [];
  const bot = (await workplace.bots()).bots.find((candidate) => candidate.name === name);
  if (bot === undefined || (part !== "state" && part !== "log")) return undefined;
  const run = written === undefined ? await workplace.runHere(bot.name) : runName(decodeName(written));
  if (written !== undefined && (run === undefined || !(await workplace.runs(bot.name)).includes(run))) return undefined;
  return (await (await workplace.engine(bot.name, run)).views())[part];
}
