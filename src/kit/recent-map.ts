/** A map of the values that were used last. */
export type RecentMap<V> = {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  has(key: string): boolean;
  values(): Iterable<V>;
};

/** Keeps the `most` values that were used last, and older ones for as long as `mayGo` says no. */
export function recentMap<V>(most: number, mayGo: (value: V) => boolean = () => true): RecentMap<V> {
  const known = new Map<string, V>();
  const set = (key: string, value: V): void => {
    known.delete(key);
    known.set(key, value);
    for (const [oldest, one] of known) {
      if (known.size <= most) return;
      if (oldest !== key && mayGo(one)) known.delete(oldest);
    }
  };
  return {
    get(key) {
      const value = known.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    set,
    has: (key) => known.has(key),
    values: () => known.values(),
  };
}
