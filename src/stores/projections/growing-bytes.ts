/** Bytes that only grow: adding to them costs the same however many there are. */
export type GrowingBytes = {
  add(text: string): void;
  clear(): void;
  /** What was added so far; valid until the next `add`. */
  view(): Buffer;
};

/** Begins with no bytes. */
export function growingBytes(): GrowingBytes {
  let buffer = Buffer.alloc(0);
  let length = 0;
  return {
    add(text) {
      const needed = length + Buffer.byteLength(text);
      if (needed > buffer.length) {
        const larger = Buffer.allocUnsafe(Math.max(1024, 2 * needed));
        buffer.copy(larger, 0, 0, length);
        buffer = larger;
      }
      length += buffer.write(text, length);
    },
    clear() {
      length = 0;
    },
    view: () => buffer.subarray(0, length),
  };
}
