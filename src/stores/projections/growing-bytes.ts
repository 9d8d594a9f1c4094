/** Bytes that only grow: adding to them costs the same however many there are. */
export type GrowingBytes = {
  add(text: string): void;
  /** What was added so far: later additions do not change it. */
  view(): Buffer;
};

/** Begins with a text. */
export function growingBytes(text: string): GrowingBytes {
  let buffer = Buffer.from(text);
  let length = buffer.length;
  return {
    add(more) {
      const needed = length + Buffer.byteLength(more);
      if (needed > buffer.length) {
        const larger = Buffer.allocUnsafe(Math.max(1024, 2 * needed));
        buffer.copy(larger, 0, 0, length);
        buffer = larger;
      }
      length += buffer.write(more, length);
    },
    view: () => buffer.subarray(0, length),
  };
}
