import type { Saving } from "../../engine/ports.ts";
import { sha256 } from "../../evidence/sha256.ts";
import type { ContentRecord, StepRef } from "../../workflow/events.ts";

/**
 * The parts of a statement that put what is held for a step at its place and hold it no longer; `taken` has the places where
 * another text stands, which a readable record does not replace. $1 project, $2 area, $3 desk; `known`: the hashes of what may be saved.
 */
export function savingParts(
  schema: string,
  { ref, files, known, isOn = "true" }: Readonly<{ ref: string; files: string; known: string; isOn?: string }>,
): string {
  return `freed as (delete from ${schema}.held where project = $1 and area = $2 and desk = $3 and ref = ${ref} and ${isOn}
        returning hash),
      wanted as (select w.* from jsonb_to_recordset(${files}::text::jsonb) as w(path text, hash text, readable boolean)
        where w.hash in (${known})),
      taken as (select w.path from wanted w where w.readable and w.hash <>
        (select f.hash from ${schema}.files f where f.project = $1 and f.area = $2 and f.path = w.path)),
      saved as (insert into ${schema}.files (project, area, path, hash)
        select $1, $2, path, hash from wanted where path not in (select path from taken) order by path
        on conflict (project, area, path) do update set hash = excluded.hash, saved_at = now())`;
}

/** A step as a row names it. */
export function refKey({ workflow, pass, step, attempt }: StepRef): string {
  return JSON.stringify([workflow, pass, step, attempt]);
}

/** Reads a step's name back. */
export function refOf(key: string): StepRef {
  const [workflow, pass, step, attempt]: [string, number, string, number] = JSON.parse(key);
  return { workflow, pass, step, attempt };
}

/** The files of a step as a statement is given them: of each path the last. */
export function filesValue(records: readonly ContentRecord[]): string {
  const files = records.map(({ path, sha256: hash, readable = false }) => [path, { path, hash, readable }] as const);
  return JSON.stringify([...new Map(files).values()]);
}

/** What an append keeps and saves, as its statement is given it. Texts go as base64: JSON in the database has no NUL. */
export function savingValues({ ref, records, texts }: Saving): readonly [string, string, string] {
  const given = [...new Set(texts)].map((text) => {
    const body = Buffer.from(text);
    return { hash: sha256(text), bytes: body.length, body: body.toString("base64") };
  });
  return [refKey(ref), filesValue(records), JSON.stringify(given)];
}
