import { idOfKey } from "./run-key.ts";
import type { RunRow } from "./run-row-data.ts";

/** A session as commands name it: by its id, the beginning of its id, or its target. */
export type NamedSession = { readonly name: string; readonly target: string | null };

/** The shortest name by which commands know a session among others: its target, or the beginning of its id. */
export function shortName({ name, target }: NamedSession, all: readonly NamedSession[]): string {
  const others = all.filter((other) => other.name !== name);
  const isPlain = target !== null && /^[\w./@-]{1,60}$/.test(target) && !target.startsWith("-");
  if (isPlain && others.every((other) => other.target !== target && !other.name.startsWith(target))) return target;
  const shared = Math.max(0, ...others.map((other) => sharedLength(name, other.name)));
  const key = /-[0-9a-f]{10,}-\d+$/.exec(name)?.index ?? name.length;
  return name.slice(0, Math.max(shared + 1, key + 5));
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** The sessions among rows, without items: only these have short names. */
export function sessionsIn(rows: readonly RunRow[]): readonly NamedSession[] {
  return rows.flatMap(({ kind, key, title, itemOf }) => {
    const name = idOfKey(key)?.name;
    return kind !== "session" || itemOf !== undefined || name === undefined ? [] : [{ name, target: title }];
  });
}
