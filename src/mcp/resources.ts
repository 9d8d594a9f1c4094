import { ProtocolError, ProtocolErrorCode, type ReadResourceResult, type Resource } from "@modelcontextprotocol/server";
import type { ServedBot } from "../engine/ports.ts";
import type { Workplace } from "../engine/workplace.ts";
import type { JsonObject } from "../evidence/json.ts";
import { type SessionView, sessionView } from "../words/session-view.ts";
import { artifactsUri } from "./phase-reply.ts";

const mimeType = "application/json";

/** For each bot: where it stands, and its log. For each session: how it stands, and what it has produced. */
export async function listResources({ bots, sessions }: Workplace): Promise<Resource[]> {
  const newest = (await sessions.all()).slice(0, mostSessions).map(({ engine }) => engine.id.name);
  return [...(await bots()).bots.flatMap(ofBot), ...newest.flatMap(ofSession)];
}

/** A list that nobody can read helps nobody: older sessions are read by their id. */
const mostSessions = 50;

function ofBot({ name }: ServedBot): Resource[] {
  return [
    { uri: `waymark://${name}/state`, name: `${name} state`, title: `Where ${name} stands`, mimeType },
    { uri: `waymark://${name}/log`, name: `${name} log`, title: `What ${name} has done`, mimeType },
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
  if (value === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no resource ${uri}.`);
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
  const [, name, part] = /^waymark:\/\/([^/]+)\/(state|log)$/.exec(uri) ?? [];
  const bot = (await workplace.bots()).bots.find((candidate) => candidate.name === name);
  if (bot === undefined || (part !== "state" && part !== "log")) return undefined;
  return (await (await workplace.engine(bot.name)).views())[part];
}
