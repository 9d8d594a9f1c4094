import { ProtocolError, ProtocolErrorCode, type Resource } from "@modelcontextprotocol/server";
import type { Engine } from "../engine/engine.ts";
import type { DeskId, ServedBot } from "../engine/ports.ts";
import type { Reply } from "../engine/reply.ts";
import { savedNow } from "../engine/saved-files.ts";
import { runName } from "../evidence/run-name.ts";
import type { Workplace } from "../workplace.ts";
import { decodeName } from "./decode-name.ts";

/** How what a run has saved is named; `run` is one part, with its slashes written as %2F. */
export const contentTemplate = {
  uriTemplate: "waymark://content/{run}/{+path}",
  name: "saved content",
  title: "A file that a run has saved",
};

/**
 * Where a file of a run is read back. The run is `<bot>.<behavior>`, of a named run with `@<run>` behind it, or a session's id. No
 * name of a run has an `@`, and what has a slash is written as one part: each name is that of one run.
 */
function contentUri({ kind, name, run }: DeskId, workflow: string, path: string): string {
  const named = kind === "session" ? name : `${name}.${workflow}${run === undefined ? "" : `@${run}`}`;
  return `waymark://content/${[named, ...path.split("/")].map(encoded).join("/")}`;
}

/** Says where the files of a completion went, to somebody who does not see them: the first of them, as their resources are named. */
export function savedBy({ id, outcome }: Reply, room: number): { readonly saved?: readonly string[] } {
  if (outcome.kind !== "completed" && outcome.kind !== "finished") return {};
  const { ref, handed } = outcome;
  const files = (handed.content ?? []).filter(({ readable }) => readable !== true);
  if (ref === null || files.length === 0) return {};
  const uris = files.map(({ path }) => contentUri(id, ref.workflow, path));
  const fitting = uris.filter((_, at) => at === 0 || lengthOf(uris.slice(0, at + 1)) <= room);
  const more = uris.length - fitting.length;
  return { saved: more === 0 ? fitting : [...fitting, `… ${more} more`] };
}

/** What of the files that a desk has saved is listed: its newest. */
export async function listSaved(engine: Engine, most: number): Promise<Resource[]> {
  const saved = savedNow(await engine.glance()).slice(-most);
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

/** Reads what a run has saved; undefined where the name is no run's here, or the run saved nothing there. */
export async function readSaved(
  workplace: Workplace,
  uri: string,
): Promise<{ readonly mimeType: string; readonly text: string } | undefined> {
  const [, run = "", written = ""] = /^waymark:\/\/content\/([^/]+)\/(.+)$/s.exec(uri) ?? [];
  const path = written.split("/").map(decodeName).join("/");
  const meant = run === "" ? undefined : await runMeant(workplace, decodeName(run));
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

type Meant = { readonly engine: Engine; readonly workflow?: string };

/** The run that a name stands for: a session, a bot or a behavior of it with or without a run's name, or a run's name alone where one bot has it. */
async function runMeant(workplace: Workplace, name: string): Promise<Meant | undefined> {
  const session = await workplace.sessions.find(name);
  if (session !== undefined) return { engine: session };
  const { bots } = await workplace.bots();
  const at = name.lastIndexOf("@");
  const [whose, run] = at === -1 ? [name, undefined] : [name.slice(0, at), runName(name.slice(at + 1))];
  const found = bots.flatMap((bot) => placesIn(bot, whose))[0];
  if (found !== undefined && at === -1)
    return { ...found, engine: await workplace.engine(found.bot, await workplace.runHere(found.bot)) };
  if (found !== undefined) return inRun(workplace, found, run);
  const alone = await Promise.all(bots.map((bot) => inRun(workplace, { bot: bot.name }, runName(name))));
  const having = alone.filter((one) => one !== undefined);
  return having.length === 1 ? having[0] : undefined;
}

type Place = { readonly bot: string; readonly workflow?: string };

function placesIn({ name, behaviors }: ServedBot, asked: string): readonly Place[] {
  if (asked === name) return [{ bot: name }];
  return behaviors.flatMap((one) => (asked === `${name}.${one.name}` ? [{ bot: name, workflow: one.name }] : []));
}

async function inRun(workplace: Workplace, place: Place, run: string | undefined): Promise<Meant | undefined> {
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
