import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { filesOf } from "../all-hosts.ts";
import type { Host, HostContext, HostFile } from "../host.ts";
import type { Change, InitPlan } from "./change.ts";
import { removeParts } from "./edit/edit-parts.ts";
import { foldersAbove } from "./folders.ts";
import { engineFolders, gitFiles } from "./git-files.ts";
import {
  backupPath,
  backupsFolder,
  digest,
  type InitRecord,
  readRecord,
  recordedPath,
  recordPath,
  recordText,
} from "./init-record.ts";
import { readText } from "./read-text.ts";
import { templates } from "./template.ts";
import { schemaFiles, templateFiles } from "./template-files.ts";

/** The scope of a removal: the entries of these hosts, and everything else unless `onlyHosts`. */
export type Removal = HostContext & { readonly hosts: readonly Host[]; readonly onlyHosts: boolean };

/** Plans a removal: unchanged files are restored to the byte, from others only our parts go. */
export function planRemoval(removal: Removal): InitPlan | { readonly problem: string } {
  const { root, hosts, onlyHosts } = removal;
  const record = readRecord(root);
  const laid = onlyHosts ? [] : planFolder(root, record);
  const isGone = laid.length > 0 && laid.every(({ after }) => after === undefined);
  // git must keep ignoring the engine's files as long as they exist.
  const isKept = laid.length > 0 && !isGone;
  const files = [...(onlyHosts || isKept ? [] : gitFiles(root, "local")), ...filesOf(hosts, removal)];
  const changes: Change[] = [];
  for (const file of files) {
    const planned = planFile(root, file, record);
    if ("problem" in planned) return planned;
    changes.push(planned);
  }
  const undone = changes.map(({ path }) => recordedPath(root, path));
  const rest = Object.entries(record.files).filter(([name]) => !undone.includes(name));
  const notes = isGone ? [] : recordWithout(root, record, undone, Object.fromEntries(rest));
  const all = [...changes, ...laid];
  return { changes: all, notes, folders: foldersToEmpty(removal, all, record) };
}

/** The folders that init created; a clone without the record had no empty folders. */
function foldersToEmpty({ root, home }: Removal, changes: readonly Change[], record: InitRecord): readonly string[] {
  const above = foldersAbove([...changes.map(({ path }) => path), recordPath(root)], [root, home]);
  if (!existsSync(recordPath(root))) return above;
  return above.filter((folder) => {
    const name = recordedPath(root, folder);
    return record.folders.includes(name) || name.startsWith(backupsFolder);
  });
}

function planFile(root: string, file: HostFile, record: InitRecord): Change | { readonly problem: string } {
  const { path } = file;
  const read = readText(path);
  if ("problem" in read) return { problem: `${path}: ${read.problem}. Nothing was changed.` };
  const { text: before } = read;
  if (before === undefined) return { path, before, after: before };
  const known = record.files[recordedPath(root, path)];
  if (known?.after === digest(before)) {
    const backup = readText(backupPath(root, recordedPath(root, path)));
    if (known.created) return { path, before, after: undefined };
    if ("text" in backup && backup.text !== undefined) return { path, before, after: backup.text };
  }
  const edited = removeParts(before, file);
  if ("problem" in edited)
    return { problem: `${path}: ${edited.problem}. Remove the entry by hand; nothing was changed.` };
  const isEmpty = edited.text !== before && /^\s*(\{\s*\})?\s*$/.test(edited.text) && known?.created !== false;
  return { path, before, after: isEmpty ? undefined : edited.text };
}

/** Removes the folder whole or not at all, since a person's files may depend on any of it. */
function planFolder(root: string, record: InitRecord): Change[] {
  const folder = join(root, ".waymark");
  if (!existsSync(folder)) return [];
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  const kit = [...templates.flatMap((template) => templateFiles(template)), ...schemaFiles()];
  const isShipped = (name: string, text: string): boolean =>
    kit.some((file) => file.path === name && file.text === text);
  const status = paths.map((path) => {
    const name = recordedPath(root, path);
    const read = readText(path);
    const text = "text" in read ? (read.text ?? "") : undefined;
    const isOurs =
      text !== undefined &&
      (name.startsWith(`${backupsFolder}/`) || record.laid[name] === digest(text) || isShipped(name, text));
    return { path, name, text, isOurs };
  });
  const others = status.filter(({ isOurs }) => !isOurs).map(({ name }) => name);
  const work = others.filter(isWork);
  if (others.length === 0) return status.map(({ path, text }) => ({ path, before: text, after: undefined }));
  const own = others.filter((name) => !isWork(name));
  const named = `${own.slice(0, 3).join(", ")}${own.length > 3 ? ` and ${own.length - 3} more` : ""}`;
  const holds = [
    ...(work.length === 0 ? [] : ["the history of work done here, with the process that it followed"]),
    ...(own.length === 0 ? [] : [`files that init did not create: ${named}`]),
  ];
  const kept = `it stays, because it holds ${holds.join("; and ")}. To remove everything, delete it, workflow_state.json and activity_log.json, and take Waymark's block out of .gitignore`;
  return [{ path: folder, before: "", after: "", kept }];
}

/** Tells if the server wrote a file while someone worked. */
function isWork(name: string): boolean {
  return (
    name === ".waymark/.gitignore" ||
    [...engineFolders, "heads"].some((folder) => name.startsWith(`.waymark/${folder}/`))
  );
}

function recordWithout(
  root: string,
  record: InitRecord,
  undone: readonly string[],
  files: InitRecord["files"],
): Change[] {
  const path = recordPath(root);
  const read = readText(path);
  const before = "text" in read ? read.text : undefined;
  if (before === undefined) return [];
  const backups = undone.flatMap((name) => {
    const backup = readText(backupPath(root, name));
    const text = "text" in backup ? backup.text : undefined;
    return text === undefined ? [] : [{ path: backupPath(root, name), before: text, after: undefined }];
  });
  return [...backups, { path, before, after: recordText({ ...record, files }) }];
}
