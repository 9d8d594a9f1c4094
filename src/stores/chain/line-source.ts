/** Passes on every line: its bytes, offset and number from 1; may be called twice. */
export type LineSource = (line: (bytes: Buffer, offset: number, number: number) => void) => void;
