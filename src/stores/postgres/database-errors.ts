/** The kind of a failed statement: "passing" (connection or server, try again), "set-up" (wrong configuration) or "ours" (a wrong statement). */
export type DatabaseError = "passing" | "set-up" | "ours";

/** Classifies an error by its code: system, library or PostgreSQL. */
export function databaseErrorKind(error: unknown): DatabaseError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (passing.has(code) || passingClasses.has(code.slice(0, 2))) return "passing";
  return setUpClasses.has(code.slice(0, 2)) || setUp.has(code) ? "set-up" : "ours";
}

/** The part of an error a person may read: never a statement, value or password. */
export function databaseErrorText(error: unknown): string {
  if (!(error instanceof Error)) return "no reason given";
  const { message } = error;
  const code = "code" in error ? String(error.code) : "";
  return /^[0-9A-Z]{5}$/.test(code) ? `${message} (${code})` : code === "" ? message : code;
}

const passing = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "NO_ANSWER",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "25006", // a read-only server: a standby, or a former primary
  "57P01",
  "57P02",
  "57P03",
  "57P05",
]);

/** Connection exceptions, rollbacks for other transactions, insufficient resources, system errors. */
const passingClasses = new Set(["08", "40", "53", "58"]);

/** A wrong password or name, a missing database or permission. */
const setUpClasses = new Set(["28", "3D", "3F"]);
const setUp = new Set(["42501", "ERR_INVALID_URL", "SASL_SIGNATURE_MISMATCH", "AUTH_TYPE_NOT_IMPLEMENTED"]);
