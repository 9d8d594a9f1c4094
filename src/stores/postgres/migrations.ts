/** One numbered schema change; `sql` returns its statements. */
export type Migration = { readonly version: number; sql(schema: string): string };

/** Every schema change in order; never edit one, add another. */
export const migrations: readonly Migration[] = [
  { version: 1, sql: first },
  { version: 2, sql: status },
  { version: 3, sql: desk },
  { version: 4, sql: notices },
  { version: 5, sql: forgotten },
  { version: 6, sql: order },
];

/**
 * Columns compared byte by byte use collation "C": a language's index order is slower and may change with the system. Record texts stay
 * text, since `jsonb` would reformat them and break their hashes.
 */
function first(schema: string): string {
  return `
create table ${schema}.records (
  project text collate "C" not null,
  area text collate "C" not null,
  desk text collate "C" not null,
  seq integer not null check (seq > 0),
  hash text collate "C" not null,
  prev text collate "C" not null,
  op text collate "C" not null,
  written_at timestamptz not null,
  text text not null,
  primary key (project, area, desk, seq)
);
create unique index records_op on ${schema}.records (project, area, desk, op);
create index records_desks on ${schema}.records (project, area, desk) where seq = 1;

create table ${schema}.aside (
  project text collate "C" not null,
  area text collate "C" not null,
  desk text collate "C" not null,
  hash text collate "C" not null,
  text text not null,
  primary key (project, area, desk, hash)
);

create table ${schema}.snapshots (
  project text collate "C" not null,
  area text collate "C" not null,
  desk text collate "C" not null,
  seq integer not null,
  head text collate "C" not null,
  format integer not null,
  body bytea not null,
  primary key (project, area, desk)
);

create table ${schema}.heads (
  project text collate "C" not null,
  area text collate "C" not null,
  desk text collate "C" not null,
  number bigint generated always as identity,
  line text collate "C" not null,
  primary key (project, area, desk, number)
);
create unique index heads_line on ${schema}.heads (project, area, desk, md5(line));

create table ${schema}.texts (
  project text collate "C" not null,
  hash text collate "C" not null,
  bytes integer not null,
  body bytea not null,
  primary key (project, hash)
);

create table ${schema}.held (
  project text collate "C" not null,
  area text collate "C" not null,
  desk text collate "C" not null,
  ref text collate "C" not null,
  hash text collate "C" not null,
  primary key (project, area, desk, ref, hash)
);

create table ${schema}.files (
  project text collate "C" not null,
  area text collate "C" not null,
  path text collate "C" not null,
  hash text collate "C" not null,
  saved_at timestamptz not null default now(),
  primary key (project, area, path)
);

create table ${schema}.pins (
  project text collate "C" not null,
  pin text collate "C" not null,
  body bytea not null,
  primary key (project, pin)
);

create table ${schema}.tokens (
  name text not null,
  role text not null,
  project text,
  hash text collate "C" not null unique,
  created_at text not null,
  revoked_at text
);
create unique index tokens_name on ${schema}.tokens (name) where revoked_at is null;

create table ${schema}.keys (name text primary key, key bytea not null);

create table ${schema}.signals (
  id uuid primary key,
  text text not null,
  at timestamptz not null default now()
);
`;
}

/**
 * The callers with open work per stream, so that finding them needs no full scan. Earlier records add every caller seen there; readers
 * check the stream itself.
 */
function status(schema: string): string {
  return `
create table ${schema}.standing (
  project text collate "C" not null,
  area text collate "C" not null,
  caller text collate "C" not null,
  desk text collate "C" not null,
  primary key (project, area, caller, desk)
);
create index standing_desk on ${schema}.standing (project, area, desk);
insert into ${schema}.standing (project, area, caller, desk)
  select distinct project, area, found[1], desk
  from ${schema}.records, regexp_matches(text, '"by":"([^"\\\\]+)"', 'g') as found;
`;
}

/**
 * What runners are asked for, what was last seen, and tokens that expire and replace each other. A claim's lease is on the row, so that
 * one statement decides who has it.
 */
function desk(schema: string): string {
  return `
create table ${schema}.wanted (
  id text collate "C" primary key,
  project text collate "C" not null,
  at timestamptz not null default now(),
  body text not null,
  claim text,
  nonce text collate "C",
  lease timestamptz,
  note text
);
create index wanted_project on ${schema}.wanted (project, at);

create table ${schema}.sightings (
  kind text collate "C" not null,
  name text collate "C" not null,
  at text collate "C" not null,
  about text not null,
  primary key (kind, name)
);

alter table ${schema}.tokens add column expires_at text, add column follows text collate "C";
drop index ${schema}.tokens_name;
create index tokens_name on ${schema}.tokens (name) where revoked_at is null;
`;
}

/** The notices that are still to be sent. */
function notices(schema: string): string {
  return `
create table ${schema}.notices (
  project text collate "C" not null,
  area text collate "C" not null,
  key text collate "C" not null,
  body text not null,
  made timestamptz not null default now(),
  due timestamptz not null default now(),
  primary key (project, area, key)
);
create index notices_due on ${schema}.notices (project, area, due);
`;
}

/** The tombstones of histories that people erased; `hashes` are those of their records. */
function forgotten(schema: string): string {
  return `
create table ${schema}.forgotten (
  project text collate "C" not null,
  area text collate "C" not null,
  desk text collate "C" not null,
  records integer not null,
  head text collate "C" not null,
  hashes text collate "C" not null,
  at text collate "C" not null,
  name text not null,
  reason text not null,
  primary key (project, area, desk, head)
);
`;
}

/** The kind of a stream in the index of the newest records: bots, sessions, and their items. */
export const kindOfKey = `(case when starts_with(desk, '["bot"') then 'bot' when strpos(desk, '/') > 0 then 'item' else 'session' end)`;

/** The order in which records were added, so that the newest are found without reading the others. */
function order(schema: string): string {
  return `
alter table ${schema}.records add column added bigint generated always as identity;
create index records_added on ${schema}.records (project, area, ${kindOfKey}, added);
`;
}
