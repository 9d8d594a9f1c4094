import { kindOfKey } from "./migrations.ts";
import { savingParts } from "./saving-statements.ts";

/** The statements of a log: $1 project, $2 area, $3 desk. */
export type LogStatements = ReturnType<typeof logStatements>;

/** The statements of a log for one schema. */
export function logStatements(schema: string) {
  const stream = "project = $1 and area = $2 and desk = $3";
  /** Appends only if the previous record is the one the writer has seen. */
  const append = `insert into ${schema}.records (project, area, desk, seq, hash, prev, op, written_at, text)
      select $1, $2, $3, $4::integer, $5, $6, $7, $8::text::timestamptz, $9
      where $4::integer = 1 or exists (select from ${schema}.records where ${stream} and seq = $4::integer - 1 and hash = $6)
      on conflict do nothing returning seq`;
  const came = (from: string): string => `insert into ${schema}.standing (project, area, caller, desk)
      select $1, $2, caller, $3 from jsonb_array_elements_text($${from}::text::jsonb) as caller`;
  const move = `added as (${append}),
      came as (${came("10")} where exists (select from added) on conflict do nothing),
      went as (delete from ${schema}.standing where ${stream} and exists (select from added)
        and caller in (select jsonb_array_elements_text($11::text::jsonb)))`;
  return {
    append,
    /** Appends with the callers who gained ($10) and lost ($11) open work, atomically. */
    appendMove: `with ${move} select seq from added`,
    /** Appends with content: for step $12 the files $13, of which the texts $14 come along. */
    appendSaving: `with ${move},
      given as (select t.* from jsonb_to_recordset($14::text::jsonb) as t(hash text, bytes integer, body text)
        where exists (select from added)),
      kept as (insert into ${schema}.texts (project, hash, bytes, body)
        select $1, hash, bytes, decode(body, 'base64') from given order by hash on conflict do nothing),
      ${savingParts(schema, {
        ref: "$12",
        files: "$13",
        known: "select hash from freed union all select hash from given",
        isOn: "exists (select from added)",
      })}
      select seq, (select coalesce(jsonb_agg(path order by path), '[]')::text from taken) as taken from added`,
    /** The streams where a caller has open work, and stream $4, each with its newest record. */
    standing: `select asked.desk, newest.seq, newest.hash from (
        select desk from ${schema}.standing where project = $1 and area = $2 and caller = $3 union select $4::text) as asked
      left join lateral (select seq, hash from ${schema}.records r
        where r.project = $1 and r.area = $2 and r.desk = asked.desk order by seq desc limit 1) as newest on true order by desk`,
    /** Replaces the callers with open work in a stream. */
    setOpenCallers: `with went as (delete from ${schema}.standing where ${stream}
        and caller not in (select jsonb_array_elements_text($4::text::jsonb)))
      ${came("4")} on conflict do nothing`,
    hashAt: `select hash from ${schema}.records where ${stream} and seq = $4::integer`,
    /** Waits until everything before it is durable, also on a synchronous standby. */
    makeSure: "select pg_logical_emit_message(true, 'waymark', '') is not null as sure",
    /** The records from one on; of that one only the hash, to check it is the same. */
    since: `select seq, hash, case when seq > $4::integer then text end as text from ${schema}.records
      where ${stream} and seq >= $4::integer order by seq limit $5::integer`,
    desks: `select desk from ${schema}.records where project = $1 and area = $2 and seq = 1 order by desk`,
    /** The streams between two keys. */
    streamsBetween: `select desk from ${schema}.records
      where project = $1 and area = $2 and seq = 1 and desk >= $3 and desk < $4 order by desk`,
    /** The streams of kind $3 with the newest records, newest first; reads back until it has $4 of them. */
    latest: `with recursive newest as (
        (select added, desk, array[desk] as seen from ${schema}.records
          where project = $1 and area = $2 and ${kindOfKey} = $3 order by added desc limit 1)
        union all
        select older.added, older.desk, newest.seen || older.desk from newest cross join lateral (
          select added, desk from ${schema}.records where project = $1 and area = $2 and ${kindOfKey} = $3
            and added < newest.added and desk <> all(newest.seen) order by added desc limit 1) as older
        where cardinality(newest.seen) < $4::integer)
      select desk from newest`,
    /** The number of streams between two keys, items left out, at most $5. */
    count: `select count(*)::integer as count from (select from ${schema}.records
      where project = $1 and area = $2 and seq = 1 and desk >= $3 and desk < $4
        and not (starts_with(desk, '["session"') and strpos(desk, '/') > 0) limit $5::integer) as counted`,
    /** The streams with records added after $3, each with its newest. */
    addedSince: `select desk, max(added)::text as added from ${schema}.records
      where project = $1 and area = $2 and ${kindOfKey} in ('bot', 'session', 'item') and added > $3::text::bigint group by desk`,
    newest: `select coalesce(max(last.added), 0)::text as added from (values ('bot'), ('session'), ('item')) as kinds(kind)
      cross join lateral (select added from ${schema}.records
        where project = $1 and area = $2 and ${kindOfKey} = kind order by added desc limit 1) as last`,
    has: `select from ${schema}.records where ${stream} and seq = 1`,
    last: `select coalesce(max(seq), 0) as seq from ${schema}.records where ${stream}`,
    /** Latest first. */
    atWork: `select desk, (select written_at from ${schema}.records last
        where (last.project, last.area, last.desk) = (first.project, first.area, first.desk) order by seq desc limit 1) as at
      from ${schema}.records first where project = $1 and area = $2 and seq = 1 order by at desc`,
    /** A snapshot whose record is still there. */
    snapshot: `select s.seq, s.head, s.body from ${schema}.snapshots s
      join ${schema}.records r using (project, area, desk)
      where s.project = $1 and s.area = $2 and s.desk = $3 and s.format = $4::integer and r.seq = s.seq and r.hash = s.head`,
    anySnapshot: `select seq, head, format, body from ${schema}.snapshots where ${stream}`,
    save: `insert into ${schema}.snapshots (project, area, desk, seq, head, format, body)
      values ($1, $2, $3, $4::integer, $5, $6::integer, $7)
      on conflict (project, area, desk) do update
      set seq = excluded.seq, head = excluded.head, format = excluded.format, body = excluded.body
      where snapshots.seq < excluded.seq or snapshots.format <> excluded.format`,
    all: `select seq, hash, prev, op, text from ${schema}.records
      where ${stream} and seq > $4::integer order by seq limit $5::integer`,
    aside: `select text from ${schema}.aside where ${stream} order by hash`,
    /** Adds consecutive records, all or none; $5 and $6 are the number and hash of their predecessor. */
    restore: `insert into ${schema}.records (project, area, desk, seq, hash, prev, op, written_at, text)
      select $1, $2, $3, r.seq, r.hash, r.prev, r.op, r.at::timestamptz, r.text
      from jsonb_to_recordset($4::text::jsonb) as r(seq integer, hash text, prev text, op text, at text, text text)
      where $5::integer = 0 or exists (select from ${schema}.records where ${stream} and seq = $5::integer and hash = $6)
      on conflict do nothing`,
    putAside: `insert into ${schema}.aside (project, area, desk, hash, text) values ($1, $2, $3, $4, $5) on conflict do nothing`,
  };
}
