import type { AuditedArea } from "../audit/audit-streams.ts";
import { defined } from "../kit/defined.ts";
import { askGit } from "../repository/git/ask-git.ts";
import { findRunFolders } from "../repository/run-folders.ts";
import { eraseFile } from "../stores/file/content-file.ts";
import { streamPaths } from "../stores/file/stream-paths.ts";
import type { Store } from "../stores/store.ts";
import { timeAfter } from "../workflow/command.ts";
import type { ContentRecord, Stamp } from "../workflow/events.ts";
import { sessionView } from "../workflow/session-view.ts";
import { type StreamId, streamName } from "../workflow/stream-id.ts";
import { isOpen, type StreamSnapshot } from "../workflow/stream-snapshot.ts";
import { guardedFolders } from "./guarded-folders.ts";
import type { OpenedWorkplace } from "./open-workplace.ts";

/** A run that a person may have forgotten: a session, or one behavior or all of a bot's run. */
export type ForgettableRun = {
  readonly id: StreamId;
  /** The behavior that is meant; all of the bot's if absent. */
  readonly workflow?: string;
  readonly title: string;
  readonly area: Store & AuditedArea;
  readonly isFinished: boolean;
  readonly changedAt: string;
  /** The files that it submitted and no other run did so. */
  readonly content: readonly ContentRecord[];
  /** The hashes of the texts among them that no other run needs. */
  readonly texts: readonly string[];
  /** All of that was erased before. */
  readonly isErased: boolean;
};

/** A file that stays, and why. */
export type StayingFile = { readonly path: string; readonly reason: string };

/** Selects runs by their stream: false, a behavior, or true for everything in it. */
export type MeantRuns = (id: StreamId, stream: StreamSnapshot) => string | boolean;

/** Finds the runs meant and what only they submitted; reads every history once. */
export async function findForgettable(
  workplace: OpenedWorkplace,
  meant: MeantRuns,
): Promise<readonly ForgettableRun[]> {
  const found: (ForgettableRun & { readonly erased: ReadonlySet<string> })[] = [];
  const neededFiles = new Set<string>();
  const neededTexts = new Set<string>();
  for (const area of await workplace.logs())
    for (const id of await area.log.streams()) {
      const { stream } = await area.log.load(id);
      const selected = meant(id, stream);
      const content: ContentRecord[] = [];
      const erased = new Set<string>();
      for await (const { events } of area.log.records(id))
        for (const event of events) {
          if (event.type === "forgotten") for (const hash of event.hashes) erased.add(hash);
          if (!("content" in event) || event.content === undefined) continue;
          const isMeant = selected === true || (typeof selected === "string" && event.workflow === selected);
          if (isMeant) content.push(...event.content);
          for (const record of isMeant ? [] : event.content) {
            neededFiles.add(fileKey(record));
            neededTexts.add(record.sha256);
          }
        }
      if (selected === false) continue;
      const workflow = selected === true ? undefined : selected;
      found.push({
        ...{ id, area, content, erased, ...defined({ workflow }) },
        title: workflow === undefined ? streamName(id) : `${streamName(id)}, ${workflow}`,
        isFinished: isFinished(id, stream, workflow),
        changedAt: stream.changedAt ?? "",
        ...{ texts: [], isErased: false },
      });
    }
  return found.map(({ erased, ...run }) => {
    const content = run.content.filter((record) => !neededFiles.has(fileKey(record)));
    const texts = [...new Set(content.map(({ sha256 }) => sha256))].filter((hash) => !neededTexts.has(hash));
    return { ...run, content, texts, isErased: content.every(({ sha256 }) => erased.has(sha256)) };
  });
}

function fileKey({ path, sha256 }: ContentRecord): string {
  return `${sha256} ${path}`;
}

function isFinished({ kind, name }: StreamId, stream: StreamSnapshot, workflow: string | undefined): boolean {
  if (stream.archivedAt !== null) return true;
  if (kind === "session") return sessionView(name, stream)?.workflow_complete === true;
  const runs = [...stream.runs.values()].filter((run) => workflow === undefined || run.workflow === workflow);
  return runs.every(({ steps }) => {
    const states = [...steps.values()];
    const hasEnded = states.some((one) => one.ended !== undefined || one.completion?.finished === true);
    return hasEnded && !states.some(isOpen);
  });
}

/** Records that the content of a run was forgotten, then erases it; returns what stays. */
export async function forgetContent(
  workplace: OpenedWorkplace,
  run: ForgettableRun,
  stamp: Stamp,
  reason: string,
): Promise<readonly StayingFile[]> {
  const { id, area, workflow, content, isErased } = run;
  const hashes = [...new Set(content.map(({ sha256 }) => sha256))];
  for (let round = 0; !isErased && hashes.length > 0; round++) {
    const { seen, stream } = await area.log.load(id);
    const dated = { ...stamp, at: timeAfter(stream, stamp.at) };
    const event = { type: "forgotten", ...dated, reason, hashes, ...defined({ workflow }) } as const;
    const { status } = await area.log.append(id, seen, [event], { onFault: "refuse" });
    if (status === "recorded") break;
    if (status !== "behind" || round === mostRounds) throw new Error(`${run.title}: it cannot be recorded now.`);
  }
  return eraseContent(workplace, run);
}

/** Erases a run with its records, views, caches and content, leaving a tombstone; returns what stays, or why nothing was erased. */
export async function forgetWhole(
  workplace: OpenedWorkplace,
  run: ForgettableRun,
  { at, name = "", reason }: { readonly at: string; readonly name?: string; readonly reason: string },
): Promise<readonly StayingFile[] | { readonly problem: string }> {
  const { id, area, title } = run;
  if (area.forgetting === undefined) return { problem: `${title}: its store cannot erase histories` };
  if (await isTracked(area.area, streamPaths(area.area, id).journal))
    return {
      problem: `The history of ${title} is committed to git, which keeps it: waymark forget cannot erase it there`,
    };
  const hashes: string[] = [];
  let head = "";
  for await (const { hash } of area.log.records(id)) {
    hashes.push(hash.slice(0, 32));
    head = hash;
  }
  const staying = await eraseContent(workplace, run);
  const tombstone = { id, records: hashes.length, head, at, by: name, reason };
  if (await area.forgetting.eraseStream(tombstone, hashes)) return staying;
  return { problem: `${title} was continued meanwhile, so its records were not erased. Run the command again` };
}

const mostRounds = 100;

async function eraseContent(
  { definitions }: OpenedWorkplace,
  { id, area, content, texts }: ForgettableRun,
): Promise<readonly StayingFile[]> {
  const { area: folder } = await findRunFolders().of(area.area, id.run);
  const ground = { area: folder, main: area.area, guarded: guardedFolders(definitions) };
  const newest = new Map(content.map((one) => [one.path, one]));
  const staying: StayingFile[] = [];
  for (const { path, sha256 } of newest.values()) {
    const reason = (await isTracked(folder, path)) ? "git has it" : eraseFile(ground, path, sha256);
    if (reason !== undefined) staying.push({ path, reason });
  }
  await area.forgetting?.eraseTexts(texts);
  return staying;
}

/** Tells if git tracks a file: what was committed is beyond us. */
async function isTracked(folder: string, path: string): Promise<boolean> {
  const listed = await askGit(folder, "--literal-pathspecs", "ls-files", "--", path);
  return "text" in listed && listed.text.trim() !== "";
}
