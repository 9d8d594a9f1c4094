/** The number of concurrent reads: enough to keep the disk busy, few enough not to starve others. */
const most = 16;

/** Maps items concurrently with a limit, and yields the results in order. */
export async function* readAhead<T, R>(
  things: Iterable<T>,
  read: (thing: T) => Promise<R>,
): AsyncGenerator<readonly [T, R], void> {
  const begun: (readonly [T, Promise<R>])[] = [];
  const first = async (): Promise<readonly [T, R][]> => {
    const [thing, reading] = begun.shift() ?? [];
    return thing === undefined || reading === undefined ? [] : [[thing, await reading]];
  };
  for (const thing of things) {
    const reading = read(thing);
    reading.catch(() => undefined); // the error is thrown when its turn comes
    begun.push([thing, reading]);
    if (begun.length >= most) yield* await first();
  }
  while (begun.length > 0) yield* await first();
}
