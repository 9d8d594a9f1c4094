/** Finds something out when it is first asked for, and once. What failed is not remembered: the next to ask looks again. */
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
