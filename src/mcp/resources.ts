import { ProtocolError, ProtocolErrorCode, type ReadResourceResult, type Resource } from "@modelcontextprotocol/server";
import type { ServedBot } from "../engine/ports.ts";
import type { Workplace } from "../engine/workplace.ts";
import type { JsonObject } from "../workflow/json.ts";
import type { SessionView } from "../workflow/session-view.ts";
import { artifactsUri } from "./phase-reply.ts";

const mimeType = "application/json";

/** For each bot: where it stands, and its log. For each session: how it stands, and what it has produced. */
export async function listResources({ bots, phased }: Workplace): Promise<Resource[]> {
  const sessions = (await phased.views()).slice(0, mostSessions);
  return [...bots().bots.flatMap(ofBot), ...sessions.flatMap(ofSession)];
}

/** A list that nobody can read helps nobody: older sessions are read by their id. */
const mostSessions = 50;

function ofBot({ name }: ServedBot): Resource[] {
  return [
    { uri: `waymark://${name}/state`, name: `${name} state`, title: `Where ${name} stands`, mimeType },
    { uri: `waymark://${name}/log`, name: `${name} log`, title: `What ${name} has done`, mimeType },
  ];
}

function ofSession(view: SessionView): Resource[] {
  const { session_id: id } = view;
  return [
    { uri: `waymark://sessions/${id}/state`, name: `${id} state`, title: `Where ${id} stands`, mimeType },
    { uri: artifactsUri(view), name: `${id} artifacts`, title: `What ${id} has produced`, mimeType },
  ];
}

/** Reads one of them: what workflow_state.json, activity_log.json or the session's file says. */
export async function readResource(workplace: Workplace, uri: string): Promise<ReadResourceResult> {
  const value = (await readSession(workplace, uri)) ?? (await readBot(workplace, uri));
  if (value === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no resource ${uri}.`);
  return { contents: [{ uri, mimeType, text: JSON.stringify(value, null, 2) }] };
}

async function readSession({ phased }: Workplace, uri: string): Promise<JsonObject | undefined> {
  const [, id, part] = /^waymark:\/\/sessions\/([^/]+)\/(state|artifacts)$/.exec(uri) ?? [];
  const view = id === undefined ? null : await phased.glance(id);
  if (view === null) return undefined;
  const { phase_artifacts: artifacts, ...rest } = view;
  return part === "artifacts" ? artifacts : { ...rest, phase_artifacts: artifacts };
}

async function readBot(workplace: Workplace, uri: string): Promise<unknown> {
  const [, name, part] = /^waymark:\/\/([^/]+)\/(state|log)$/.exec(uri) ?? [];
  const bot = workplace.bots().bots.find((candidate) => candidate.name === name);
  if (bot === undefined || (part !== "state" && part !== "log")) return undefined;
  return (await workplace.engine(bot.name).views())[part];
}
