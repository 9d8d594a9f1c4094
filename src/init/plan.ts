import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Host, HostFile, Place } from "../hosts/host.ts";
import { filesOf } from "../hosts/hosts.ts";
import { type Change, isWork, type Plan } from "./change.ts";
import { addParts, removeParts } from "./edit/edit.ts";
import { missingFolders } from "./folders.ts";
import type { History } from "./git-files.ts";
import { historyFiles, settingsPath } from "./history.ts";
import { type KitFile, schemaFiles, type Template, templateFiles } from "./kit.ts";
import { readText } from "./read-text.ts";
import { backupPath, digest, type InitRecord, readRecord, recorded, recordPath, recordText } from "./record.ts";
import { withSchema } from "./schema-key.ts";
import type { TestCommand } from "./tests/test-command.ts";
import { installedIn } from "./where-from.ts";

/** What init is asked for. */
export type Wish = Place & {
  readonly template?: Template;
  /** How Waymark runs the project's tests itself, where it is to. */
  readonly tests?: TestCommand;
  readonly hosts: readonly Host[];
  /** Where the history is to be kept, where somebody says so. */
  readonly history?: History;
  /** The person named the command that hosts shall run. */
  readonly replace: boolean;
};

/** Whether a project has definitions: a template is then laid down only if it is asked for by name. */
export function hasDefinitions(root: string): boolean {
  return ["bots", "base_actions", "workflows"].some((folder) => existsSync(join(root, ".waymark", folder)));
}

/** Plans every change before the first is made; one file that cannot be edited and nothing is changed. */
export function planInit(wish: Wish): Plan | { readonly problem: string } {
  const { root, hosts } = wish;
  const record = readRecord(root);
  const changes: Change[] = [];
  const kit = [...(wish.template === undefined ? [] : templateFiles(wish.template, wish.tests)), ...schemaFiles()];
  const steps = [
    ...kit.map((file) => () => planKitFile(root, file, record)),
    ...[...historyFiles(root, wish.history), ...filesOf(hosts, wish)].map((file) => () => planHostFile(file, wish)),
  ];
  for (const step of steps) {
    const planned = step();
    if ("problem" in planned) return planned;
    changes.push(planned);
  }
  const told = wish.noHooks === true ? sayingHooksStay(changes, wish) : changes;
  return { changes: told, notes: notesOn(root, told.filter(isWork), record), folders: [] };
}

/** Hooks of an earlier init are not taken out by leaving them out: that is said. */
function sayingHooksStay(changes: readonly Change[], { noHooks: _, ...place }: Wish): readonly Change[] {
  const kept =
    "the hooks that an earlier init wrote there stay: init --remove takes them out, and init --no-hooks then writes the rest";
  const standing = filesOf(place.hosts, place).flatMap((file): Change[] => {
    const parts = file.parts.filter(
      (part) => part.kind === "hook" || (part.kind === "block" && part.commandLine !== undefined),
    );
    const read = readText(file.path);
    const before = "text" in read ? read.text : undefined;
    if (parts.length === 0 || before === undefined) return [];
    const without = removeParts(before, { ...file, parts });
    return "text" in without && without.text !== before ? [{ path: file.path, before, after: before, kept }] : [];
  });
  const isTold = ({ path }: Change): boolean => standing.some((one) => one.path === path);
  const others = standing.filter(({ path }) => !changes.some((change) => change.path === path));
  return [...changes.map((change) => (isTold(change) && !isWork(change) ? { ...change, kept } : change)), ...others];
}

type Planned = Change | { readonly problem: string };

function planKitFile(root: string, file: KitFile, record: InitRecord): Planned {
  const path = join(root, file.path);
  const read = readText(path);
  if ("problem" in read) return { problem: `${path}: ${read.problem}. Nothing was written.` };
  const { text: before } = read;
  // A schema or a check that nobody touched follows the package; everything else is the author's once it is there.
  const isOurs = file.follows === true && before !== undefined && record.laid[file.path] === digest(before);
  if (before === undefined || before === file.text || isOurs) return { path, before, after: file.text };
  return { path, before, after: before, kept: "yours is kept; it differs from the template" };
}

function planHostFile(file: HostFile, { replace, root }: Wish): Planned {
  const unusable = ({ problem }: { readonly problem: string }): Planned => ({
    problem: `${file.path}: ${problem}. Mend it or add the entry by hand; nothing was written.`,
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
  // A file that held nothing but a block of ours goes with it.
  const after = text === "" && read.text !== "" ? undefined : isNew ? withSchema("config.json", text) : text;
  return { path: file.path, before: read.text, after, ...(kept === undefined ? {} : { kept }) };
}

/** The backup of each file that is changed for the first time, and the record of what was done. */
function notesOn(root: string, work: readonly Change[], record: InitRecord): Change[] {
  if (work.length === 0) return [];
  const laid = { ...record.laid };
  const files = { ...record.files };
  const backups: Change[] = [];
  for (const { path, before, after = "" } of work) {
    const name = recorded(root, path);
    const known = files[name];
    const isLaid = before === undefined || laid[name] === digest(before);
    if (name.startsWith(".waymark/") && isLaid) laid[name] = digest(after);
    else if (known === undefined) {
      files[name] = { created: before === undefined, after: digest(after) };
      if (before !== undefined) backups.push(fresh(backupPath(root, name), before));
    } else {
      // Somebody changed it since: the backup is no longer what the file would be without us.
      const isOurs = before !== undefined && known.after === digest(before);
      files[name] = { ...known, after: isOurs ? digest(after) : null };
    }
  }
  const made = missingFolders([...work.map(({ path }) => path), recordPath(root)]).map((path) => recorded(root, path));
  const folders = [...new Set([...record.folders, ...made])];
  return [...backups, fresh(recordPath(root), recordText({ files, laid, folders }))];
}

function fresh(path: string, after: string): Change {
  const read = readText(path);
  return { path, before: "text" in read ? read.text : undefined, after };
}
