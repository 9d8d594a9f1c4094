/** A file in two pieces: bytes that only grow as long as the era is the same one, and an ending that changes with every transition. */
export type Pieces = { readonly era: Era; readonly stable: Buffer; readonly ending: Buffer };

/** Stands for a stretch of one history as one projection of it was made: nothing but itself is the same. */
export type Era = { readonly name: string };

/** Puts a file's pieces together; an empty text where there are none. */
export function textOf(pieces: Pieces | undefined): string {
  return pieces === undefined ? "" : Buffer.concat([pieces.stable, pieces.ending]).toString("utf8");
}

/** Tells whether these are the bytes of a file, without putting its pieces together. */
export function isSpelledBy(bytes: Buffer, { stable, ending }: Pieces): boolean {
  return (
    bytes.length === stable.length + ending.length &&
    bytes.subarray(0, stable.length).equals(stable) &&
    bytes.subarray(stable.length).equals(ending)
  );
}
