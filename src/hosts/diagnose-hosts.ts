import { existsSync } from "node:fs";
import type { JsonObject } from "../kit/json.ts";
import { hosts } from "./all-hosts.ts";
import { startFailure } from "./diagnose-start.ts";
import { type Diagnosis, fine, problem, warning } from "./diagnosis.ts";
import type { FilePart, Host, HostContext, HostFile, ServerPart } from "./host.ts";
import { writesAnything } from "./init/change.ts";
import { startRemote } from "./init/choose-start.ts";
import { entryIn, removeParts } from "./init/edit/edit-parts.ts";
import { shortPath } from "./init/folders.ts";
import { planHostFile } from "./init/plan.ts";
import { readText } from "./init/read-text.ts";

/** The state of every host that is set up in a project, and the team server that their entries name, if any. */
export type HostDiagnoses = {
  readonly diagnoses: readonly Diagnosis[];
  readonly found: readonly Host[];
  readonly remote?: string;
};

/** Compares the files of each host with those that init would write, and looks whether they can start Waymark here. */
export function diagnoseHosts(place: HostContext, path: string): HostDiagnoses {
  const each = hosts.map((host) => ({ host, entries: entriesOf(host, place) }));
  const found = each.filter(({ host, entries }) => entries.length > 0 && hasOwnFile(host, place));
  const remote = found.flatMap(({ entries }) => entries).flatMap(({ words }) => remoteIn(words))[0];
  const diagnoses = found.flatMap(({ host, entries }) => diagnoseHost(host, entries, place, path));
  const none = warning("host", "No assistant of this project knows Waymark.", "Run waymark init --client NAME.");
  return {
    diagnoses: found.length === 0 ? [none] : diagnoses,
    found: found.map(({ host }) => host),
    ...(remote === undefined ? {} : { remote }),
  };
}

/** True if one of the files that no other host reads is there: hosts share files. */
function hasOwnFile(host: Host, place: HostContext): boolean {
  const shared = hosts.filter((one) => one !== host).flatMap((one) => one.files(place).map(({ path }) => path));
  return host.files(place).some(({ path }) => !shared.includes(path) && existsSync(path));
}

/** An entry for our server in a host's file, or why that file cannot be read. */
type FoundEntry = {
  readonly file: string;
  readonly words: readonly string[];
  /** The address, for an entry that starts nothing. */
  readonly url?: string;
  readonly unreadable?: string;
};

function entriesOf(host: Host, place: HostContext): readonly FoundEntry[] {
  return host.files(place).flatMap((file) => serverPartsOf(file).flatMap((part) => entryOf(file, part, place)));
}

function serverPartsOf({ parts }: HostFile): readonly ServerPart[] {
  return parts.flatMap((part) => (part.kind === "server" ? [part] : []));
}

function entryOf(file: HostFile, part: ServerPart, place: HostContext): readonly FoundEntry[] {
  const name = shortPath(file.path, place);
  const read = readText(file.path);
  if ("text" in read && read.text === undefined) return [];
  const found = "text" in read ? entryIn(read.text ?? "", file, part) : read;
  if ("problem" in found) return [{ file: name, words: [], unreadable: found.problem }];
  if (found.entry === undefined) return [];
  const { entry } = found;
  const url = [entry.url, entry.httpUrl, entry.serverUrl].find((value) => typeof value === "string");
  return [{ file: name, words: wordsOf(entry), ...(typeof url === "string" ? { url } : {}) }];
}

function wordsOf({ command, args }: JsonObject): readonly string[] {
  return typeof command === "string" ? [command, ...(Array.isArray(args) ? args.map(String) : [])] : [];
}

function remoteIn(words: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => (words[at - 1] === "--remote" ? [word] : []));
}

function diagnoseHost(
  host: Host,
  entries: readonly FoundEntry[],
  place: HostContext,
  path: string,
): readonly Diagnosis[] {
  const again = `waymark init --client ${host.id}`;
  const started = entries.map(({ file, words, url, unreadable }): Diagnosis => {
    if (unreadable !== undefined)
      return problem("host", `${host.title}: ${file}: ${unreadable}.`, `Fix ${file}, then run ${again}.`);
    if (words.length === 0 && url !== undefined)
      return fine("host", `${host.title} connects to ${withoutSecrets(url)} (${file}).`);
    const failure = startFailure(words, place.root, path);
    return failure === undefined
      ? fine("host", `${host.title} starts ${withoutSecrets(words.join(" "))} (${file}).`)
      : problem(
          "host",
          `${host.title} cannot start Waymark by ${file}: ${failure}.`,
          `If waymark is among the project's packages, run npm install. Otherwise run ${again}.`,
        );
  });
  const isStarted = entries.some(({ words, unreadable }) => words.length > 0 && unreadable === undefined);
  return isStarted ? [...started, ...diagnoseFiles(host, entries, place, again)] : started;
}

/** Leaves out the parts of addresses that hold passwords and tokens: people paste this into issues. */
function withoutSecrets(text: string): string {
  return text.replaceAll(/:\/\/\S*@/g, "://…@").replaceAll(/(:\/\/[^\s?#]*)[?#]\S*/g, "$1");
}

/** Compares the rest of a host's files with what init would write. */
function diagnoseFiles(
  host: Host,
  entries: readonly FoundEntry[],
  place: HostContext,
  again: string,
): readonly Diagnosis[] {
  const [remote] = entries.flatMap(({ words }) => remoteIn(words));
  const meant =
    remote === undefined ? place : { ...place, start: startRemote(place.start, remote), noHooks: true as const };
  const files = host.files(meant);
  const named = (lacking: readonly HostFile[]): string => lacking.map(({ path }) => shortPath(path, place)).join(", ");
  const others = files.map((file) => withParts(file, (part) => !isHook(part))).filter((file) => lacks(file, place));
  const stale = warning(
    "host",
    `${host.title}: not as this version of Waymark sets it up: ${named(others)}.`,
    `Run ${again} (--dry-run shows the changes first).`,
  );
  return [...(others.length === 0 ? [] : [stale]), ...diagnoseHooks(host, files, place, again)];
}

function diagnoseHooks(
  host: Host,
  files: readonly HostFile[],
  place: HostContext,
  again: string,
): readonly Diagnosis[] {
  const hooks = files.map((file) => withParts(file, isHook)).filter(({ parts }) => parts.length > 0);
  if (hooks.length === 0) return [];
  const lacking = hooks.filter((file) => lacks(file, place));
  if (lacking.length === 0) return [fine("hooks", `${host.title} has Waymark's hooks.`)];
  const isSome = hooks.some((file) => holdsAny(file));
  const where = lacking.map(({ path }) => shortPath(path, place)).join(", ");
  return [
    warning(
      "hooks",
      isSome
        ? `${host.title}: the hooks in ${where} are not those of this version.`
        : `${host.title} has no hooks of Waymark: no status card, no blocked edits, no reminders.`,
      `Run ${again}${isSome ? "" : ", unless you left them out on purpose (--no-hooks)"}.`,
    ),
  ];
}

function isHook(part: FilePart): boolean {
  if (part.kind === "setting") return part.form === true;
  return part.kind === "hook" || (part.kind === "block" && part.commandLine !== undefined);
}

function withParts(file: HostFile, isMeant: (part: FilePart) => boolean): HostFile {
  return { ...file, parts: file.parts.filter(isMeant) };
}

/** True if init would change the file, or could not. */
function lacks(file: HostFile, { root }: HostContext): boolean {
  const planned = planHostFile(file, { replace: false, root });
  return file.parts.length > 0 && ("problem" in planned || writesAnything(planned));
}

function holdsAny(file: HostFile): boolean {
  const read = readText(file.path);
  if (!("text" in read) || read.text === undefined) return false;
  const without = removeParts(read.text, file);
  return "text" in without && without.text !== read.text;
}
