/** So many runs are read at a time. */
export const atOnce = 6;

/** Does something with each of them, a few at a time; what came of it, in their order. The first fault ends it. */
export async function fewAtOnce<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<readonly R[]> {
  const done: R[] = [];
  const left = all.entries();
  let isOver = false;
  const worker = async (): Promise<void> => {
    for (const [at, one] of left) {
      if (isOver) return;
      done[at] = await work(one);
    }
  };
  const workers = Array.from({ length: Math.min(atOnce, all.length) }, worker);
  try {
    await Promise.all(workers);
  } finally {
    isOver = true;
  }
  return done;
}
