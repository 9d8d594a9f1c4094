import { ProtocolError, ProtocolErrorCode, type Resource } from "@modelcontextprotocol/server";
import type { Engine } from "../engine/engine.ts";
import type { ServedBot } from "../engine/ports/definitions.ts";
import type { Reply } from "../engine/reply.ts";
import { currentSavedFiles } from "../engine/saved-files.ts";
import type { Workplace } from "../engine/workplace.ts";
import { runName } from "../workflow/run-name.ts";
import type { StreamId } from "../workflow/stream-id.ts";
import { decodeName } from "./decode-name.ts";

/** The address template of saved files; `run` is one part, with its slashes as %2F. */
export const contentTemplate = {
  uriTemplate: "waymark://content/{run}/{+path}",
  name: "saved content",
  title: "A file saved by a run",
};

/** The address of a saved file. The run is `<bot>.<behavior>`, with `@<run>` for a named run, or a session's id. Run names contain no `@` and are one path part, so each address means one run. */
function contentUri({ kind, name, run }: StreamId, workflow: string, path: string): string {
  const named = kind === "session" ? name : `${name}.${workflow}${run === undefined ? "" : `@${run}`}`;
  return `waymark://content/${[named, ...path.split("/")].map(encoded).join("/")}`;
}

/** Lists where the first files of a completion went, for a caller that does not see them. */
export function savedUris({ id, outcome }: Reply, room: number): { readonly saved?: readonly string[] } {
  if (outcome.kind !== "completed" && outcome.kind !== "finished") return {};
  const { ref, submitted } = outcome;
  const files = (submitted.content ?? []).filter(({ readable }) => readable !== true);
  if (ref === null || files.length === 0) return {};
  const uris = files.map(({ path }) => contentUri(id, ref.workflow, path));
  const fitting = uris.filter((_, at) => at === 0 || lengthOf(uris.slice(0, at + 1)) <= room);
  const more = uris.length - fitting.length;
  return { saved: more === 0 ? fitting : [...fitting, `… ${more} more`] };
}

/** Lists the newest files that a stream has saved. */
export async function listSaved(engine: Engine, most: number): Promise<Resource[]> {
  const saved = currentSavedFiles(await engine.peek()).slice(-most);
  return saved.map(({ ref, record: { path, bytes } }) => {
    return {
      uri: contentUri(engine.id, ref.workflow, path),
      name: path,
      title: path,
      mimeType: mimeTypeOf(path),
      size: bytes,
    };
  });
}

/** Reads a saved file; undefined if the address names no run here, or the run saved nothing there. */
export async function readSaved(
  workplace: Workplace,
  uri: string,
): Promise<{ readonly mimeType: string; readonly text: string } | undefined> {
  const [, run = "", written = ""] = /^waymark:\/\/content\/([^/]+)\/(.+)$/s.exec(uri) ?? [];
  const path = written.split("/").map(decodeName).join("/");
  const meant = run === "" ? undefined : await matchRun(workplace, decodeName(run));
  const file = await meant?.engine.readSaved(path, meant.workflow);
  if (file === undefined) return undefined;
  if ("problem" in file)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `${uri} cannot be read back: ${file.problem}. Its hash is on record (waymark log, waymark export).`,
    );
  return { mimeType: mimeTypeOf(path), text: file.text };
}

function lengthOf(uris: readonly string[]): number {
  return uris.reduce((sum, uri) => sum + uri.length + 4, 0);
}

type MatchedRun = { readonly engine: Engine; readonly workflow?: string };

/** Finds the run of a name: a session, a bot or behavior with or without a run's name, or a run's name that only one bot has. */
async function matchRun(workplace: Workplace, name: string): Promise<MatchedRun | undefined> {
  const session = await workplace.sessions.find(name);
  if (session !== undefined) return { engine: session };
  const { bots } = await workplace.bots();
  const at = name.lastIndexOf("@");
  const [whose, run] = at === -1 ? [name, undefined] : [name.slice(0, at), runName(name.slice(at + 1))];
  const found = bots.flatMap((bot) => matchBots(bot, whose))[0];
  if (found !== undefined && at === -1)
    return { ...found, engine: await workplace.engine(found.bot, await workplace.runHere(found.bot)) };
  if (found !== undefined) return inRun(workplace, found, run);
  const alone = await Promise.all(bots.map((bot) => inRun(workplace, { bot: bot.name }, runName(name))));
  const having = alone.filter((one) => one !== undefined);
  return having.length === 1 ? having[0] : undefined;
}

type MatchedBot = { readonly bot: string; readonly workflow?: string };

function matchBots({ name, behaviors }: ServedBot, written: string): readonly MatchedBot[] {
  if (written === name) return [{ bot: name }];
  return behaviors.flatMap((one) => (written === `${name}.${one.name}` ? [{ bot: name, workflow: one.name }] : []));
}

async function inRun(
  workplace: Workplace,
  place: MatchedBot,
  run: string | undefined,
): Promise<MatchedRun | undefined> {
  if (run === undefined || !(await workplace.hasRun(place.bot, run))) return undefined;
  return { ...place, engine: await workplace.engine(place.bot, run) };
}

function encoded(part: string): string {
  return encodeURIComponent(part).replaceAll("%40", "@");
}

const mimeTypes: Readonly<Record<string, string>> = {
  md: "text/markdown",
  json: "application/json",
  html: "text/html",
  csv: "text/csv",
};

function mimeTypeOf(path: string): string {
  return mimeTypes[/\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ""] ?? "text/plain";
}
