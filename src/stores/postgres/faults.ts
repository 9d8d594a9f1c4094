/** What a failed statement means: the connection or the server is what failed, and it may be tried again; it cannot be reached as it is set up; or the statement itself is wrong. */
export type Fault = "passing" | "set-up" | "ours";

/** Tells faults apart by their code: of the system, of the library, or of PostgreSQL. */
export function faultOf(error: unknown): Fault {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (passing.has(code) || passingClasses.has(code.slice(0, 2))) return "passing";
  return setUpClasses.has(code.slice(0, 2)) || setUp.has(code) ? "set-up" : "ours";
}

/** What of a fault a person may read: never a statement, a value or an address with a password. */
export function faultText(error: unknown): string {
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
  "25006", // a server that only reads: a standby, or one that was the primary
  "57P01",
  "57P02",
  "57P03",
  "57P05",
]);

/** Connection exceptions, what was undone for another's sake, insufficient resources, system errors. */
const passingClasses = new Set(["08", "40", "53", "58"]);

/** A wrong password or name, a database that is not there, a right that is missing. */
const setUpClasses = new Set(["28", "3D", "3F"]);
const setUp = new Set(["42501", "ERR_INVALID_URL", "SASL_SIGNATURE_MISMATCH", "AUTH_TYPE_NOT_IMPLEMENTED"]);
