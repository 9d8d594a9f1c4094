/** The files that are read while somebody watches. */
let reads: Set<string> | null = null;

/** Remembers that a file was read, where somebody watches. */
export function noteRead(path: string): void {
  reads?.add(path);
}

/** Does something and says which files were read for it. */
export function readsDuring<T>(work: () => T): { readonly value: T; readonly reads: ReadonlySet<string> } {
  const outer = reads;
  const own = new Set<string>();
  reads = own;
  try {
    return { value: work(), reads: own };
  } finally {
    reads = outer;
  }
}
