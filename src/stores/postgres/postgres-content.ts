import type { Content, ContentFile, DeskId } from "../../engine/ports.ts";
import { pathProblem } from "../../evidence/content-path.ts";
import { sameTarget } from "../../evidence/same-target.ts";
import type { ContentRecord, StepRef } from "../../workflow/events.ts";
import { sha256 } from "../chain/record.ts";
import { readablePlace, takenMeanwhile } from "../content/readable.ts";
import { changedSince, findRefusals, maxTextBytes, missing, tooLong } from "../content/refusals.ts";
import { bytesOf } from "./desk-memory.ts";
import { deskValues, placeValues, type StorePlace } from "./place.ts";

/** Content in PostgreSQL, where no work tree is at hand: texts by hash, and which of them stands at each path of the area. */
export type PostgresContent = Content & {
  /** Keeps texts for a step, besides whatever else holds them. */
  keep(id: DeskId, ref: StepRef, texts: readonly string[]): Promise<void>;
};

/** Opens the content of one area of a project. */
export function postgresContent(place: StorePlace): PostgresContent {
  const { database } = place;
  const statements = contentStatements(database.schema);
  /** What stands at these paths: the hash and the length of each. */
  async function standing(paths: readonly string[]): Promise<ReadonlyMap<string, Standing>> {
    const asked = JSON.stringify(paths.filter((path) => pathProblem(path) === undefined));
    const rows = await database.run(statements.standing, [...(await placeValues(place)), asked]);
    return new Map(rows.map(({ path, hash, bytes }) => [String(path), { hash: String(hash), bytes: Number(bytes) }]));
  }

  async function keep(id: DeskId, ref: StepRef, texts: readonly string[]): Promise<void> {
    const values = await deskValues(place, id);
    for (const text of new Set(texts)) {
      const bytes = Buffer.from(text);
      await database.run(statements.keep, [...values, refKey(ref), sha256(text), bytes.length, bytes]);
    }
  }

  async function heldHashes(id: DeskId, ref: StepRef): Promise<ReadonlySet<string>> {
    const rows = await database.run(statements.held, [...(await deskValues(place, id)), refKey(ref)]);
    return new Set(rows.map(({ hash }) => String(hash)));
  }

  async function save(id: DeskId, ref: StepRef, records: readonly ContentRecord[]): Promise<readonly string[]> {
    const wanted = new Map(records.map(({ path, sha256: hash, readable = false }) => [path, { path, hash, readable }]));
    const values = [...(await deskValues(place, id)), refKey(ref), JSON.stringify([...wanted.values()])];
    return (await database.run(statements.save, values)).map(({ path }) => takenMeanwhile(String(path)));
  }

  async function recall(hash: string): Promise<string | undefined> {
    const [row] = await database.run(statements.text, [place.project, hash]);
    return row === undefined ? undefined : bytesOf(row.body).toString("utf8");
  }

  const textOf = async (hash: string): Promise<string> => (await recall(hash)) ?? "";

  return {
    keep,
    save,
    recall,
    async stands(path) {
      const there = (await standing([path])).get(path);
      return there === undefined || there.bytes > maxTextBytes ? undefined : recall(there.hash);
    },
    async isSaved(path, kind) {
      const asked = [...(await placeValues(place)), path];
      return (await database.run(kind === "file" ? statements.isFile : statements.isFolder, asked)).length > 0;
    },
    nameOf: (written) => sameTarget(written),
    async hold(id, ref, given) {
      const names = given.flatMap(({ path, readable }) => (readable === true ? possibleNames(path) : [path]));
      const stands = await standing(names);
      const warnings: string[] = [];
      const items = given.map((item) => {
        if (item.readable !== true) return item;
        const free = readablePlace(item, (path, text) => (stands.get(path)?.hash ?? sha256(text)) === sha256(text));
        warnings.push(...free.warnings);
        return { ...item, path: free.path };
      });
      const refused = findRefusals(items, (path) => {
        const problem = pathProblem(path);
        return problem === undefined ? { target: path, size: stands.get(path)?.bytes ?? null } : { problem };
      });
      if (refused.length > 0) return { refused };
      await keep(
        id,
        ref,
        items.flatMap(({ text }) => (text === undefined ? [] : [text])),
      );
      const records = items.map(({ path, text, readable }): ContentRecord => {
        const marked = readable === true ? { readable } : {};
        if (text !== undefined) return { path, bytes: Buffer.byteLength(text), sha256: sha256(text), ...marked };
        const { hash, bytes } = stands.get(path) ?? { hash: sha256(""), bytes: 0 };
        return { path, bytes, sha256: hash, ...marked };
      });
      return { records, warnings };
    },
    async saveLeftOvers(id, isCompleted) {
      const rows = await database.run(statements.refs, await deskValues(place, id));
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
      const [held, stands] = await Promise.all([heldHashes(id, ref), standing(records.map(({ path }) => path))]);
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

type Standing = { readonly hash: string; readonly bytes: number };

/** Every name that a readable record may come to have. */
function possibleNames(path: string): readonly string[] {
  const names: string[] = [];
  readablePlace({ path, text: "", readable: true }, (name) => {
    names.push(name);
    return false;
  });
  return names;
}

function refKey({ workflow, pass, step, attempt }: StepRef): string {
  return JSON.stringify([workflow, pass, step, attempt]);
}

function refOf(key: string): StepRef {
  const [workflow, pass, step, attempt]: [string, number, string, number] = JSON.parse(key);
  return { workflow, pass, step, attempt };
}

/** $1 project, $2 area, $3 desk or what else is named. */
function contentStatements(schema: string) {
  const step = "project = $1 and area = $2 and desk = $3 and ref = $4";
  return {
    standing: `select path, hash, bytes from ${schema}.files join ${schema}.texts using (project, hash)
      where project = $1 and area = $2 and path in (select jsonb_array_elements_text($3::text::jsonb))`,
    keep: `with kept as (insert into ${schema}.texts (project, hash, bytes, body)
        values ($1, $5, $6::integer, $7) on conflict do nothing)
      insert into ${schema}.held (project, area, desk, ref, hash) values ($1, $2, $3, $4, $5) on conflict do nothing`,
    isFile: `select from ${schema}.files where project = $1 and area = $2 and path = $3`,
    isFolder: `select from ${schema}.files where project = $1 and area = $2 and starts_with(path, $3 || '/') limit 1`,
    text: `select body from ${schema}.texts where project = $1 and hash = $2`,
    held: `select hash from ${schema}.held where ${step}`,
    refs: `select distinct ref from ${schema}.held where project = $1 and area = $2 and desk = $3`,
    /** Puts what is held at its place and holds it no longer; answers where another text stands that a readable record does not replace. */
    save: `with freed as (delete from ${schema}.held where ${step} returning hash),
      wanted as (select w.* from jsonb_to_recordset($5::text::jsonb) as w(path text, hash text, readable boolean)
        where w.hash in (select hash from freed)),
      taken as (select w.path from wanted w join ${schema}.files f
        on f.project = $1 and f.area = $2 and f.path = w.path and f.hash <> w.hash where w.readable),
      saved as (insert into ${schema}.files (project, area, path, hash)
        select $1, $2, path, hash from wanted where path not in (select path from taken)
        on conflict (project, area, path) do update set hash = excluded.hash, saved_at = now())
      select path from taken order by path`,
  };
}
