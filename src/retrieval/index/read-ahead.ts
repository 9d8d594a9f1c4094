/** So many are on their way at once: enough that the disk is not waited for one by one, few enough that nobody else is held up. */
const most = 16;

/** Does the same with each of many things, some of them at once, and gives the results in order. */
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
    reading.catch(() => undefined); // it is heard of when its turn comes
    begun.push([thing, reading]);
    if (begun.length >= most) yield* await first();
  }
  while (begun.length > 0) yield* await first();
}
