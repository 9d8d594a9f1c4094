import type { Json, JsonObject } from "./json.ts";

/** Copies a collection once and then returns that copy, so that replay does not copy it with each event. */
export type CopyOnce = {
  <K, V>(map: ReadonlyMap<K, V>): Map<K, V>;
  list<T>(list: readonly T[]): T[];
  /** Sets the values of one object on another by name, including names like `__proto__`. */
  values(before: JsonObject, later: JsonObject): JsonObject;
};

/** Starts with no copies. */
export function copyOnce(): CopyOnce {
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
      for (const [name, value] of Object.entries(later)) defineValue(into, name, value);
      return into;
    },
  });
}

function isOwn<T>(copies: WeakSet<object>, list: readonly T[]): list is T[] {
  return copies.has(list);
}

/** Defines a plain property, so that `__proto__` is a name like any other. */
function defineValue(into: JsonObject, name: string, value: Json): void {
  Object.defineProperty(into, name, { value, enumerable: true, writable: true, configurable: true });
}
