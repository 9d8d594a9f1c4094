/** Calls `find` on first use and caches its result; a failure is not cached. */
export function once<T>(find: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | undefined;
  const look = async (): Promise<T> => find();
  return () => {
    if (found !== undefined) return found;
    const looking = look();
    found = looking;
    looking.catch(() => {
      found = undefined;
    });
    return looking;
  };
}

/** Calls `find` once in each turn, and every time before the first turn. */
export function oncePerTurn<T>(turn: { readonly number: number }, find: () => Promise<T>): () => Promise<T> {
  let found: { readonly turn: number; readonly value: Promise<T> } | undefined;
  return () => {
    const { number } = turn;
    if (found === undefined || found.turn === 0 || found.turn !== number) found = { turn: number, value: find() };
    return found.value;
  };
}

/** Calls `find` again only for another value than the last. */
export function oncePer<K, T>(find: (value: K) => T): (value: K) => T {
  let last: { readonly value: K; readonly found: T } | undefined;
  return (value) => {
    if (last === undefined || last.value !== value) last = { value, found: find(value) };
    return last.found;
  };
}
