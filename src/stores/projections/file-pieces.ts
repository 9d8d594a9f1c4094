/** A file in two pieces: bytes that only grow within an era, and an ending that changes with every transition. */
export type FilePieces = { readonly era: Era; readonly stable: Buffer; readonly ending: Buffer };

/** A stretch of one history under one projection, compared by identity. */
export type Era = { readonly name: string };

/** Joins a file's pieces; empty if there are none. */
export function textOf(pieces: FilePieces | undefined): string {
  return pieces === undefined ? "" : Buffer.concat([pieces.stable, pieces.ending]).toString("utf8");
}

/** Tells if bytes equal a file without joining its pieces. */
export function isEqualToPieces(bytes: Buffer, { stable, ending }: FilePieces): boolean {
  return (
    bytes.length === stable.length + ending.length &&
    bytes.subarray(0, stable.length).equals(stable) &&
    bytes.subarray(stable.length).equals(ending)
  );
}
