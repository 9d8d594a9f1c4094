import type { Content, ContentFile, ContentItem, HeldContent } from "../../engine/ports/content.ts";
import { pathProblem } from "../../kit/portable-path.ts";
import { sha256 } from "../../kit/sha256.ts";
import type { ContentRecord, StepRef } from "../../workflow/events.ts";
import { normalizeTarget } from "../../workflow/same-target.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import {
  changedSince,
  chooseReadablePath,
  findRefusals,
  maxTextBytes,
  missing,
  takenMessage,
  tooLong,
} from "../content/content-rules.ts";
import { bytesOf } from "./known-stream.ts";
import { filesValue, refKey, refOf, savingParts } from "./saving-statements.ts";
import { areaValues, type StoreLocation, streamValues } from "./store-location.ts";

/** Content in PostgreSQL without a work tree: texts by hash, and the current one of each path. */
export type PostgresContent = Content & {
  /** Stores texts for a step in addition to other stores. */
  keep(id: StreamId, ref: StepRef, texts: readonly string[]): Promise<void>;
};

/** Opens the content of one area of a project. */
export function postgresContent(place: StoreLocation): PostgresContent {
  const { database } = place;
  const statements = contentStatements(database.schema);
  /** The hash and length of the texts at these paths. */
  async function status(paths: readonly string[]): Promise<ReadonlyMap<string, StoredText>> {
    const asked = JSON.stringify(paths.filter((path) => pathProblem(path) === undefined));
    const rows = await database.run(statements.standing, [...(await areaValues(place)), asked]);
    return new Map(rows.map(({ path, hash, bytes }) => [String(path), { hash: String(hash), bytes: Number(bytes) }]));
  }

  async function keep(id: StreamId, ref: StepRef, texts: readonly string[]): Promise<void> {
    const values = await streamValues(place, id);
    const kept = [...new Set(texts)].map((text) => {
      const bytes = Buffer.from(text);
      return database.run(statements.keep, [...values, refKey(ref), sha256(text), bytes.length, bytes]);
    });
    await Promise.all(kept);
  }

  async function prepare(given: readonly ContentItem[]): Promise<HeldContent> {
    const names = given.flatMap(({ path, readable }) => (readable === true ? possibleNames(path) : [path]));
    const stands = await status(names);
    const warnings: string[] = [];
    const items = given.map((item) => {
      if (item.readable !== true) return item;
      const free = chooseReadablePath(item, (path, text) => (stands.get(path)?.hash ?? sha256(text)) === sha256(text));
      warnings.push(...free.warnings);
      return { ...item, path: free.path };
    });
    const refused = findRefusals(items, (path) => {
      const problem = pathProblem(path);
      return problem === undefined ? { target: path, size: stands.get(path)?.bytes ?? null } : { problem };
    });
    if (refused.length > 0) return { refused };
    const records = items.map(({ path, text, readable }): ContentRecord => {
      const marked = readable === true ? { readable } : {};
      if (text !== undefined) return { path, bytes: Buffer.byteLength(text), sha256: sha256(text), ...marked };
      const { hash, bytes } = stands.get(path) ?? { hash: sha256(""), bytes: 0 };
      return { path, bytes, sha256: hash, ...marked };
    });
    return { records, warnings };
  }

  async function heldHashes(id: StreamId, ref: StepRef): Promise<ReadonlySet<string>> {
    const rows = await database.run(statements.held, [...(await streamValues(place, id)), refKey(ref)]);
    return new Set(rows.map(({ hash }) => String(hash)));
  }

  async function save(id: StreamId, ref: StepRef, records: readonly ContentRecord[]): Promise<readonly string[]> {
    const values = [...(await streamValues(place, id)), refKey(ref), filesValue(records)];
    return (await database.run(statements.save, values)).map(({ path }) => takenMessage(String(path)));
  }

  async function recall(hash: string): Promise<string | undefined> {
    const [row] = await database.run(statements.text, [place.project, hash]);
    return row === undefined ? undefined : bytesOf(row.body).toString("utf8");
  }

  const textOf = async (hash: string): Promise<string> => (await recall(hash)) ?? "";

  return {
    keep,
    save,
    readByHash: recall,
    async currentText(path) {
      const there = (await status([path])).get(path);
      return there === undefined || there.bytes > maxTextBytes ? undefined : recall(there.hash);
    },
    async filesIn(path) {
      const folder = `${path.replace(/\/+$/, "")}/`;
      const rows = await database.run(statements.inFolder, [...(await areaValues(place)), folder]);
      return rows.length === 0 ? undefined : rows.map((row) => String(row.path).slice(folder.length));
    },
    async isSaved(path, kind) {
      const asked = [...(await areaValues(place)), path];
      return (await database.run(kind === "file" ? statements.isFile : statements.isFolder, asked)).length > 0;
    },
    normalizePath: (written) => normalizeTarget(written),
    prepare,
    async hold(id, ref, given) {
      const prepared = await prepare(given);
      const texts = given.flatMap(({ text }) => (text === undefined ? [] : [text]));
      if ("records" in prepared) await keep(id, ref, texts);
      return prepared;
    },
    async saveLeftOvers(id, isCompleted) {
      const rows = await database.run(statements.refs, await streamValues(place, id));
      const warnings: string[] = [];
      for (const row of rows) {
        const ref = refOf(String(row.ref));
        const records = await isCompleted(ref);
        if (records !== undefined) warnings.push(...(await save(id, ref, records)));
      }
      return warnings;
    },
    async read(id, ref, records) {
      if (records.length === 0) return [];
      const [held, stands] = await Promise.all([heldHashes(id, ref), status(records.map(({ path }) => path))]);
      return Promise.all(
        records.map(async ({ path, sha256: hash }): Promise<ContentFile> => {
          const there = stands.get(path);
          const problem = pathProblem(path);
          const isNew = there === undefined && problem === undefined;
          if (held.has(hash)) return { path, isNew, text: await textOf(hash) };
          if (there === undefined) return { path, isNew, problem: problem ?? missing };
          if (there.bytes > maxTextBytes) return { path, isNew, problem: tooLong };
          return there.hash === hash
            ? { path, isNew, text: await textOf(hash) }
            : { path, isNew, problem: changedSince };
        }),
      );
    },
  };
}

type StoredText = { readonly hash: string; readonly bytes: number };

/** Every name a readable record may get. */
function possibleNames(path: string): readonly string[] {
  const names: string[] = [];
  chooseReadablePath({ path, text: "", readable: true }, (name) => {
    names.push(name);
    return false;
  });
  return names;
}

/** $1 project, $2 area, $3 desk or another name. */
function contentStatements(schema: string) {
  const step = "project = $1 and area = $2 and desk = $3 and ref = $4";
  return {
    /** Looks up each path separately, so that the planner never reads all files. */
    standing: `select asked.path, file.hash, text.bytes from jsonb_array_elements_text($3::text::jsonb) as asked(path)
      cross join lateral (select hash from ${schema}.files f
        where f.project = $1 and f.area = $2 and f.path = asked.path limit 1) as file
      cross join lateral (select bytes from ${schema}.texts t where t.project = $1 and t.hash = file.hash limit 1) as text`,
    keep: `with kept as (insert into ${schema}.texts (project, hash, bytes, body)
        values ($1, $5, $6::integer, $7) on conflict do nothing)
      insert into ${schema}.held (project, area, desk, ref, hash) values ($1, $2, $3, $4, $5) on conflict do nothing`,
    isFile: `select from ${schema}.files where project = $1 and area = $2 and path = $3`,
    inFolder: `select distinct path from ${schema}.files where project = $1 and area = $2 and starts_with(path, $3)
      and position('/' in substr(path, length($3) + 1)) = 0 order by path limit 5000`,
    isFolder: `select from ${schema}.files where project = $1 and area = $2 and starts_with(path, $3 || '/') limit 1`,
    text: `select body from ${schema}.texts where project = $1 and hash = $2`,
    held: `select hash from ${schema}.held where ${step}`,
    refs: `select distinct ref from ${schema}.held where project = $1 and area = $2 and desk = $3`,
    /** Moves held texts to their paths; returns the paths where another text blocks a readable record. */
    save: `with ${savingParts(schema, { ref: "$4", files: "$5", known: "select hash from freed" })}
      select path from taken order by path`,
  };
}
