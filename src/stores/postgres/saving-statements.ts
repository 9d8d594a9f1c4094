import type { ContentToSave } from "../../engine/ports/event-log.ts";
import { sha256 } from "../../kit/sha256.ts";
import type { ContentRecord, StepRef } from "../../workflow/events.ts";

/**
 * The parts of a statement that move a step's held texts to their paths; `taken` lists paths where another text blocks a readable record.
 * $1 project, $2 area, $3 desk; `known` are the hashes that may be saved.
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

/** The key of a step in a row. */
export function refKey({ workflow, pass, step, attempt }: StepRef): string {
  return JSON.stringify([workflow, pass, step, attempt]);
}

/** Parses a step's key. */
export function refOf(key: string): StepRef {
  const [workflow, pass, step, attempt]: [string, number, string, number] = JSON.parse(key);
  return { workflow, pass, step, attempt };
}

/** The files of a step as a parameter: the last of each path. */
export function filesValue(records: readonly ContentRecord[]): string {
  const files = records.map(({ path, sha256: hash, readable = false }) => [path, { path, hash, readable }] as const);
  return JSON.stringify([...new Map(files).values()]);
}

/** The content parameters of an append; texts are base64, since the database's JSON has no NUL. */
export function savingValues({ ref, records, texts }: ContentToSave): readonly [string, string, string] {
  const given = [...new Set(texts)].map((text) => {
    const body = Buffer.from(text);
    return { hash: sha256(text), bytes: body.length, body: body.toString("base64") };
  });
  return [refKey(ref), filesValue(records), JSON.stringify(given)];
}
