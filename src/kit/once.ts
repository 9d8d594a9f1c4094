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
export function oncePerTurn<T>(turn: () => number, find: () => Promise<T>): () => Promise<T> {
  let found: { readonly turn: number; readonly value: Promise<T> } | undefined;
  return () => {
    if (found === undefined || found.turn === 0 || found.turn !== turn()) found = { turn: turn(), value: find() };
    return found.value;
  };
}
