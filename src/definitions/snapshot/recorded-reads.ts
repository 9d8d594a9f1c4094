/** The files read so far, while recording. */
let reads: Set<string> | null = null;

/** Records that a file was read, while recording. */
export function recordRead(path: string): void {
  reads?.add(path);
}

/** Runs a function and returns the files it read. */
export function filesReadBy<T>(work: () => T): { readonly value: T; readonly reads: ReadonlySet<string> } {
  const outer = reads;
  const own = new Set<string>();
  reads = own;
  try {
    return { value: work(), reads: own };
  } finally {
    reads = outer;
  }
}
