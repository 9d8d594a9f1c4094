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
