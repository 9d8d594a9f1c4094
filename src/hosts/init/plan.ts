import { existsSync } from "node:fs";
import { join } from "node:path";
import { defined } from "../../kit/defined.ts";
import { filesOf } from "../all-hosts.ts";
import type { Host, HostContext, HostFile } from "../host.ts";
import { type Change, type InitPlan, writesAnything } from "./change.ts";
import { addParts, removeParts } from "./edit/edit-parts.ts";
import { missingFolders } from "./folders.ts";
import type { History } from "./git-files.ts";
import { historyFiles, settingsPath } from "./history.ts";
import {
  backupPath,
  digest,
  type InitRecord,
  readRecord,
  recordedPath,
  recordPath,
  recordText,
} from "./init-record.ts";
import { installedIn } from "./installation.ts";
import { readText } from "./read-text.ts";
import { withSchema } from "./schema-key.ts";
import type { KitFile, Template } from "./template.ts";
import { schemaFiles, templateFiles, vendorFiles } from "./template-files.ts";
import type { TestCommand } from "./tests/test-command.ts";

/** The options of an init. */
export type InitOptions = HostContext & {
  readonly template?: Template;
  /** The command with which Waymark runs the project's tests, if it should. */
  readonly tests?: TestCommand;
  readonly hosts: readonly Host[];
  /** The place for the history, if someone chose one. */
  readonly history?: History;
  /** The text of an identity for a project that has none. */
  readonly identity?: string;
  /** True if the definitions are on a team server, so that none are laid here. */
  readonly isRemote?: boolean;
  /** True if the project gets a copy of this Waymark. */
  readonly vendor?: boolean;
  /** True if the person named the command that hosts run. */
  readonly replace: boolean;
};

/** True if a project has definitions; a template is then only added if it is named. */
export function hasDefinitions(root: string): boolean {
  return holdsDefinitions(join(root, ".waymark"));
}

/** True if a folder holds definitions, and not just what we keep beside them. */
export function holdsDefinitions(folder: string): boolean {
  return ["bots", "base_actions", "workflows"].some((name) => existsSync(join(folder, name)));
}

/** Plans every change before the first one is made; one file that cannot be edited stops everything. */
export function planInit(wish: InitOptions): InitPlan | { readonly problem: string } {
  const { root, hosts } = wish;
  const record = readRecord(root);
  const changes: Change[] = [];
  const isHere = wish.isRemote !== true;
  const kit = [...(isHere ? kitFiles(wish) : []), ...(wish.vendor === true ? vendorFiles() : [])];
  const steps = [
    ...kit.map((file) => () => planKitFile(root, file, record)),
    ...[...historyFiles(root, wish.history), ...filesOf(hosts, wish)].map((file) => () => planHostFile(file, wish)),
  ];
  for (const step of steps) {
    const planned = step();
    if ("problem" in planned) return planned;
    changes.push(planned);
  }
  const noted = wish.noHooks === true ? noteKeptHooks(changes, wish) : changes;
  return { changes: noted, notes: recordChanges(root, noted.filter(writesAnything), record), folders: [] };
}

/** The files of the definitions that init lays. */
function kitFiles(wish: InitOptions): readonly KitFile[] {
  return [
    ...identityFile(wish),
    ...(wish.template === undefined ? [] : templateFiles(wish.template, wish.tests)),
    ...schemaFiles(),
  ];
}

/** The file that names the project; none where one exists or there are no definitions to put it beside. */
function identityFile({ root, template, identity }: InitOptions): readonly KitFile[] {
  const path = ".waymark/identity.json";
  const isBare = template === undefined && !hasDefinitions(root);
  return identity === undefined || isBare || existsSync(join(root, path)) ? [] : [{ path, text: identity }];
}

/** Notes that --no-hooks does not remove the hooks of an earlier init. */
function noteKeptHooks(changes: readonly Change[], { noHooks: _, ...place }: InitOptions): readonly Change[] {
  const kept = "kept the hooks of an earlier init; to drop them, run init --remove, then init --no-hooks";
  const status = filesOf(place.hosts, place).flatMap((file): Change[] => {
    const parts = file.parts.filter(
      (part) => part.kind === "hook" || (part.kind === "block" && part.commandLine !== undefined),
    );
    const read = readText(file.path);
    const before = "text" in read ? read.text : undefined;
    if (parts.length === 0 || before === undefined) return [];
    const without = removeParts(before, { ...file, parts });
    return "text" in without && without.text !== before ? [{ path: file.path, before, after: before, kept }] : [];
  });
  const isTold = ({ path }: Change): boolean => status.some((one) => one.path === path);
  const others = status.filter(({ path }) => !changes.some((change) => change.path === path));
  return [
    ...changes.map((change) => (isTold(change) && !writesAnything(change) ? { ...change, kept } : change)),
    ...others,
  ];
}

type Planned = Change | { readonly problem: string };

function planKitFile(root: string, file: KitFile, record: InitRecord): Planned {
  const path = join(root, file.path);
  const read = readText(path);
  if ("problem" in read) return { problem: `${path}: ${read.problem}. Nothing was written.` };
  const { text: before } = read;
  // An unchanged schema or check follows the package; everything else is the author's once it exists.
  const isOurs = file.follows === true && before !== undefined && record.laid[file.path] === digest(before);
  if (before === undefined || before === file.text || isOurs) return { path, before, after: file.text };
  return { path, before, after: before, kept: "kept yours, which differs from the template" };
}

/** Plans the changes to a host's file, or says why it cannot be edited. */
export function planHostFile(file: HostFile, { replace, root }: Pick<InitOptions, "replace" | "root">): Planned {
  const unusable = ({ problem }: { readonly problem: string }): Planned => ({
    problem: `${file.path}: ${problem}. Fix it or add the entry by hand; nothing was written.`,
  });
  const read = readText(file.path);
  if ("problem" in read) return unusable(read);
  const edited = addParts(read.text ?? "", file, {
    replace,
    exists: existsSync,
    installed: installedIn(root) !== undefined,
  });
  if ("problem" in edited) return unusable(edited);
  const { text, kept } = edited;
  const isNew = read.text === undefined && file.path === settingsPath(root);
  // A file that only held our block goes with it.
  const after = text === "" && read.text !== "" ? undefined : isNew ? withSchema("config.json", text) : text;
  return { path: file.path, before: read.text, after, ...defined({ kept }) };
}

/** The backup of each file that changes for the first time, and the record of the changes. */
function recordChanges(root: string, work: readonly Change[], record: InitRecord): Change[] {
  if (work.length === 0) return [];
  const laid = { ...record.laid };
  const files = { ...record.files };
  const backups: Change[] = [];
  for (const { path, before, after = "" } of work) {
    const name = recordedPath(root, path);
    const known = files[name];
    const isLaid = before === undefined || laid[name] === digest(before);
    if (name.startsWith(".waymark/") && isLaid) laid[name] = digest(after);
    else if (known === undefined) {
      files[name] = { created: before === undefined, after: digest(after) };
      if (before !== undefined) backups.push(newFile(backupPath(root, name), before));
    } else {
      // After someone else's change, the backup is no longer the file without our parts.
      const isOurs = before !== undefined && known.after === digest(before);
      files[name] = { ...known, after: isOurs ? digest(after) : null };
    }
  }
  const made = missingFolders([...work.map(({ path }) => path), recordPath(root)]).map((path) =>
    recordedPath(root, path),
  );
  const folders = [...new Set([...record.folders, ...made])];
  return [...backups, newFile(recordPath(root), recordText({ files, laid, folders }))];
}

function newFile(path: string, after: string): Change {
  const read = readText(path);
  return { path, before: "text" in read ? read.text : undefined, after };
}
