import type { Json, JsonObject } from "../evidence/json.ts";

/** Answers what may be changed in place of what must not: a copy, or the one that was made before. So a long history is not copied with each of its events. */
export type Own = {
  <K, V>(map: ReadonlyMap<K, V>): Map<K, V>;
  list<T>(list: readonly T[]): T[];
  /** Puts the values of one object into another, under their names, whatever these are called. */
  values(before: JsonObject, later: JsonObject): JsonObject;
};

/** Begins with nothing that may be changed. */
export function owning(): Own {
  const copies = new WeakSet<object>();
  const keep = <T extends object>(copy: T): T => {
    copies.add(copy);
    return copy;
  };
  const map = <K, V>(given: ReadonlyMap<K, V>): Map<K, V> =>
    given instanceof Map && copies.has(given) ? given : keep(new Map(given));
  return Object.assign(map, {
    list: <T>(given: readonly T[]): T[] => (isOwn(copies, given) ? given : keep([...given])),
    values(before: JsonObject, later: JsonObject): JsonObject {
      const into = copies.has(before) ? before : keep({ ...before });
      for (const [name, value] of Object.entries(later)) define(into, name, value);
      return into;
    },
  });
}

function isOwn<T>(copies: WeakSet<object>, list: readonly T[]): list is T[] {
  return copies.has(list);
}

/** As data, so that `__proto__` is a name like any other. */
function define(into: JsonObject, name: string, value: Json): void {
  Object.defineProperty(into, name, { value, enumerable: true, writable: true, configurable: true });
}
