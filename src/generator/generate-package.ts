import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { markFile } from "../kit/generated-mark.ts";
import type { CatalogTool } from "./bundle.ts";
import { collectDefinitions } from "./definition-files.ts";
import { below, entryFile, type Files, sizeOf, writeFiles } from "./files.ts";
import { markOf } from "./generation-mark.ts";
import type { PluginHost } from "./host-files.ts";
import { moveIntoPlace } from "./move-into-place.ts";
import { packageFiles } from "./package-files.ts";
import { checkPackageFolder, type PackageFolder } from "./package-folder.ts";
import { identify, nameProblem, type PackageIdentity } from "./package-identity.ts";
import { collectRuntime } from "./runtime-files.ts";
import { trialStart } from "./trial-start.ts";

export type GenerateRequest = {
  readonly bot: string;
  readonly description: string | undefined;
  /** The author's name for the package. */
  readonly name?: string | undefined;
  /** The definitions folder, and the parts of it that make this bot. */
  readonly definitions: string;
  readonly parts: readonly string[];
  /** The project, which must not be written to. */
  readonly root: string;
  readonly out: string;
  /** The host to make a plugin or extension for. */
  readonly host?: PluginHost | undefined;
  readonly force: boolean;
  /** The folder of the running build of Waymark, and its version. */
  readonly build: string;
  readonly waymark: string;
  /** Lists the tools of a definitions folder, or says why it cannot be served. */
  readCatalog(definitions: string): Promise<Catalog>;
  /** Called with each step as it starts. */
  readonly progress: (step: string) => void;
};

export type Catalog = { readonly tools: readonly CatalogTool[] } | { readonly refused: string };

/** The result of a generation. */
export type Generated = {
  readonly identity: PackageIdentity;
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

/** Writes a server package for one bot: built in a temporary folder, started once, then moved into place. */
export async function generate(request: GenerateRequest): Promise<Generated | { readonly refused: string }> {
  const { definitions, root, force, bot } = request;
  const place = checkPackageFolder({ out: request.out, bot, sources: [definitions, root], force });
  if ("refused" in place) return place;
  const collected = collectDefinitions(definitions, request.parts);
  if ("refused" in collected) return collected;
  mkdirSync(dirname(place.folder), { recursive: true });
  const work = mkdtempSync(join(dirname(place.folder), `.${basename(place.folder)}-`));
  const aside = join(work, "old");
  let isKept = false;
  try {
    return await buildPackage({ work, aside }, request, place, below("definitions", collected.files));
  } catch (error) {
    isKept = existsSync(aside); // files that could not be restored must not be lost
    throw error;
  } finally {
    if (!isKept) rmSync(work, { recursive: true, force: true });
  }
}

async function buildPackage(
  { work, aside }: { readonly work: string; readonly aside: string },
  request: GenerateRequest,
  place: PackageFolder,
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
  if (wrong !== undefined)
    return { refused: `${identity.name} is not a valid package name: ${wrong}. Choose another with --name.` };
  const runtime = collectRuntime(request.build);
  const { files, bundle } = packageFiles({ identity, tools, kept, definitions, runtime, host: request.host });
  writeFiles(draft, new Map([...files, [markFile, markOf(identity.bot, identity.waymark, files)]]));
  request.progress("starting it once");
  const empty = join(work, "empty");
  mkdirSync(empty);
  const tried = await trialStart(join(draft, entryFile), empty, tools);
  if ("failed" in tried)
    throw new Error(`The generated server does not work, so nothing was written: ${tried.failed}.`);
  moveIntoPlace(draft, aside, [...files.keys(), markFile], place);
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
