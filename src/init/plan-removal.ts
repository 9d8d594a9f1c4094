import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Host, HostFile, Place } from "../hosts/host.ts";
import { filesOf } from "../hosts/hosts.ts";
import type { Change, Plan } from "./change.ts";
import { removeParts } from "./edit/edit.ts";
import { foldersAbove } from "./folders.ts";
import { gitFiles } from "./git-files.ts";
import { schemaFiles, templateFiles, templates } from "./kit.ts";
import { readText } from "./read-text.ts";
import {
  backupPath,
  backupsFolder,
  digest,
  type InitRecord,
  readRecord,
  recorded,
  recordPath,
  recordText,
} from "./record.ts";

/** What is to be undone: the entries of these hosts, and, unless only they are meant, everything else that init made. */
export type Removal = Place & { readonly hosts: readonly Host[]; readonly onlyHosts: boolean };

/** Plans the way back: files nobody changed since become what they were, to the byte; from the others our parts go. */
export function planRemoval(removal: Removal): Plan | { readonly problem: string } {
  const { root, hosts, onlyHosts } = removal;
  const record = readRecord(root);
  const laid = onlyHosts ? [] : planFolder(root, record);
  const isGone = laid.length > 0 && laid.every(({ after }) => after === undefined);
  // As long as the engine's files stay, git must go on passing them over.
  const isKept = laid.length > 0 && !isGone;
  const files = [...(onlyHosts || isKept ? [] : gitFiles(root, "local")), ...filesOf(hosts, removal)];
  const changes: Change[] = [];
  for (const file of files) {
    const planned = planFile(root, file, record);
    if ("problem" in planned) return planned;
    changes.push(planned);
  }
  const undone = changes.map(({ path }) => recorded(root, path));
  const rest = Object.entries(record.files).filter(([name]) => !undone.includes(name));
  const notes = isGone ? [] : recordWithout(root, record, undone, Object.fromEntries(rest));
  const all = [...changes, ...laid];
  return { changes: all, notes, folders: foldersToEmpty(removal, all, record) };
}

/** Only what init made; a copy of the project without its record had no empty folders. */
function foldersToEmpty({ root, home }: Removal, changes: readonly Change[], record: InitRecord): readonly string[] {
  const above = foldersAbove([...changes.map(({ path }) => path), recordPath(root)], [root, home]);
  if (!existsSync(recordPath(root))) return above;
  return above.filter((folder) => {
    const name = recorded(root, folder);
    return record.folders.includes(name) || name.startsWith(backupsFolder);
  });
}

function planFile(root: string, file: HostFile, record: InitRecord): Change | { readonly problem: string } {
  const { path } = file;
  const read = readText(path);
  if ("problem" in read) return { problem: `${path}: ${read.problem}. Nothing was changed.` };
  const { text: before } = read;
  if (before === undefined) return { path, before, after: before };
  const known = record.files[recorded(root, path)];
  if (known?.after === digest(before)) {
    const backup = readText(backupPath(root, recorded(root, path)));
    if (known.created) return { path, before, after: undefined };
    if ("text" in backup && backup.text !== undefined) return { path, before, after: backup.text };
  }
  const edited = removeParts(before, file);
  if ("problem" in edited)
    return { problem: `${path}: ${edited.problem}. Take the entry out by hand; nothing was changed.` };
  const isEmpty = edited.text !== before && /^\s*(\{\s*\})?\s*$/.test(edited.text) && known?.created !== false;
  return { path, before, after: isEmpty ? undefined : edited.text };
}

/** The folder goes as a whole or not at all: what somebody wrote may rest on any file of it. */
function planFolder(root: string, record: InitRecord): Change[] {
  const folder = join(root, ".waymark");
  if (!existsSync(folder)) return [];
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  const kit = [...templates.flatMap((template) => templateFiles(template)), ...schemaFiles()];
  const isShipped = (name: string, text: string): boolean =>
    kit.some((file) => file.path === name && file.text === text);
  const standing = paths.map((path) => {
    const name = recorded(root, path);
    const read = readText(path);
    const text = "text" in read ? (read.text ?? "") : undefined;
    const isOurs =
      text !== undefined &&
      (name.startsWith(`${backupsFolder}/`) || record.laid[name] === digest(text) || isShipped(name, text));
    return { path, name, text, isOurs };
  });
  const others = standing.filter(({ isOurs }) => !isOurs).map(({ name }) => name);
  if (others.length === 0) return standing.map(({ path, text }) => ({ path, before: text, after: undefined }));
  const named = `${others.slice(0, 3).join(", ")}${others.length > 3 ? ` and ${others.length - 3} more` : ""}`;
  return [
    {
      path: folder,
      before: "",
      after: "",
      kept: `it holds what init did not put there: ${named}. Delete the folder yourself to be rid of it`,
    },
  ];
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
