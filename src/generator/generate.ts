import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { markFile } from "../evidence/generated-mark.ts";
import type { CatalogTool } from "./bundle.ts";
import { collectDefinitions } from "./definition-files.ts";
import { below, entryFile, type Files, sizeOf, writeFiles } from "./files.ts";
import type { PluginHost } from "./host-files.ts";
import { type Identity, identify, nameProblem } from "./identity.ts";
import { markOf } from "./mark.ts";
import { moveIn } from "./move-in.ts";
import { packageFiles } from "./package-files.ts";
import { lookAtPlace, type Place } from "./place.ts";
import { collectRuntime } from "./runtime-files.ts";
import { tryOut } from "./try-out.ts";

export type GenerateRequest = {
  readonly bot: string;
  readonly description: string | undefined;
  /** The name that the author chose for the package. */
  readonly name?: string | undefined;
  /** The definitions folder, and the folders and files in it that make this bot. */
  readonly definitions: string;
  readonly parts: readonly string[];
  /** The project, which must not be written into. */
  readonly root: string;
  readonly out: string;
  /** The host that it is to be a plugin or an extension of. */
  readonly host?: PluginHost | undefined;
  readonly force: boolean;
  /** The folder of the build of Waymark that runs now, and its version. */
  readonly build: string;
  readonly waymark: string;
  /** Lists the tools that a definitions folder comes to; or says why it cannot be served. */
  readCatalog(definitions: string): Promise<Catalog>;
  /** Told what is being done, as soon as that begins. */
  readonly progress: (step: string) => void;
};

export type Catalog = { readonly tools: readonly CatalogTool[] } | { readonly refused: string };

/** What was generated, for whoever asked for it. */
export type Generated = {
  readonly identity: Identity;
  readonly folder: string;
  readonly replaced: boolean;
  readonly tools: readonly string[];
  readonly files: number;
  readonly bytes: {
    readonly package: number;
    readonly runtime: number;
    readonly definitions: number;
    readonly bundle: number;
  };
  readonly bundle: { readonly file: string; readonly sha256: string };
  readonly startMilliseconds: number;
};

/** Writes a server package for one bot: made aside, started once, and only then put in its place. */
export async function generate(request: GenerateRequest): Promise<Generated | { readonly refused: string }> {
  const { definitions, root, force, bot } = request;
  const place = lookAtPlace({ out: request.out, bot, sources: [definitions, root], force });
  if ("refused" in place) return place;
  const collected = collectDefinitions(definitions, request.parts);
  if ("refused" in collected) return collected;
  mkdirSync(dirname(place.folder), { recursive: true });
  const work = mkdtempSync(join(dirname(place.folder), `.${basename(place.folder)}-`));
  const aside = join(work, "old");
  let isKept = false;
  try {
    return await makeIn({ work, aside }, request, place, below("definitions", collected.files));
  } catch (error) {
    isKept = existsSync(aside); // what could not be put back must not be lost
    throw error;
  } finally {
    if (!isKept) rmSync(work, { recursive: true, force: true });
  }
}

async function makeIn(
  { work, aside }: { readonly work: string; readonly aside: string },
  request: GenerateRequest,
  place: Place,
  definitions: Files,
): Promise<Generated | { readonly refused: string }> {
  const draft = join(work, "new");
  writeFiles(draft, definitions);
  const catalog = await request.readCatalog(join(draft, "definitions"));
  if ("refused" in catalog) return catalog;
  request.progress("packing");
  const { tools } = catalog;
  const names = tools.map(({ name }) => name);
  const { kept, folder, mark } = place;
  const identity = identify({ ...request, kept, tools: names });
  const wrong = nameProblem(identity.name);
  if (wrong !== undefined) return { refused: `${identity.name} cannot be the name of a package: ${wrong}.` };
  const runtime = collectRuntime(request.build);
  const { files, bundle } = packageFiles({ identity, tools, kept, definitions, runtime, host: request.host });
  writeFiles(draft, new Map([...files, [markFile, markOf(identity.bot, identity.waymark, files)]]));
  request.progress("starting it once");
  const empty = join(work, "empty");
  mkdirSync(empty);
  const tried = await tryOut(join(draft, entryFile), empty, tools);
  if ("failed" in tried) throw new Error(`The generated server was not put in place: ${tried.failed}.`);
  moveIn(draft, aside, [...files.keys(), markFile], place);
  const bytes = {
    package: sizeOf(files),
    runtime: sizeOf(files, "runtime/"),
    definitions: sizeOf(definitions),
    bundle: sizeOf(files, bundle.file),
  };
  return {
    identity,
    folder,
    replaced: mark !== undefined,
    tools: names,
    files: files.size + 1,
    bytes,
    bundle,
    startMilliseconds: tried.milliseconds,
  };
}
