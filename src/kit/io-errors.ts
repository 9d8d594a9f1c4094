/** The code of an I/O error (`ENOSPC`, `EACCES`); undefined for any other exception, which is a bug. */
export function ioErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return error.code;
}

/** Runs disk work; returns undefined on an I/O error and rethrows other exceptions. */
export function unlessIoError<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (ioErrorCode(error) === undefined) throw error;
    return undefined;
  }
}
