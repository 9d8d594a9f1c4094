/** The code of an input or output fault (`ENOSPC`, `EACCES`); undefined for any other exception, which is a mistake of ours. */
export function faultCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return error.code;
}

/** Does work on the disk; answers undefined where the disk would not, and lets every other exception through. */
export function unlessFault<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (faultCode(error) === undefined) throw error;
    return undefined;
  }
}
