import { ProtocolError, ProtocolErrorCode, type ReadResourceResult, type Resource } from "@modelcontextprotocol/server";
import type { ServedBot } from "../engine/ports.ts";
import type { Workplace } from "../engine/workplace.ts";

const mimeType = "application/json";

/** For each bot: where it stands, and its log. */
export function listResources(bots: readonly ServedBot[]): Resource[] {
  return bots.flatMap(({ name }) => [
    { uri: `waymark://${name}/state`, name: `${name} state`, title: `Where ${name} stands`, mimeType },
    { uri: `waymark://${name}/log`, name: `${name} log`, title: `What ${name} has done`, mimeType },
  ]);
}

/** Reads one of them: what workflow_state.json or activity_log.json says. */
export async function readResource(workplace: Workplace, uri: string): Promise<ReadResourceResult> {
  const [, name, view] = /^waymark:\/\/([^/]+)\/(state|log)$/.exec(uri) ?? [];
  const bot = workplace.bots().bots.find((candidate) => candidate.name === name);
  if (bot === undefined || (view !== "state" && view !== "log")) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no resource ${uri}.`);
  }
  const views = await workplace.engine(bot.name).views();
  return { contents: [{ uri, mimeType, text: JSON.stringify(views[view], null, 2) }] };
}
