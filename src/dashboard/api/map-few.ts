/** The number of runs read at a time. */
export const concurrency = 6;

/** Maps over all items a few at a time, in order; the first error stops it. */
export async function mapFew<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<readonly R[]> {
  const done: R[] = [];
  const left = all.entries();
  let isOver = false;
  const worker = async (): Promise<void> => {
    for (const [at, one] of left) {
      if (isOver) return;
      done[at] = await work(one);
    }
  };
  const workers = Array.from({ length: Math.min(concurrency, all.length) }, worker);
  try {
    await Promise.all(workers);
  } finally {
    isOver = true;
  }
  return done;
}
