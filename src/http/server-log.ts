/** The log entry of one request, without its content or token. */
export type CallEntry = {
  readonly method: string;
  /** The part of the server that answered. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly project?: string | undefined;
  /** The owner of the token. */
  readonly by?: string | undefined;
  /** The protocol method and the tool that were called. */
  readonly call?: string;
  readonly tool?: string;
  /** The code and the reason of a refusal. */
  readonly code?: string;
  readonly reason?: string;
};

/** Facts collected about a request for the log. */
export type CallFacts = {
  route: string;
  by?: string | undefined;
  project?: string | undefined;
  call?: string;
  tool?: string;
};

/** Writes the server's log as lines of JSON. */
export type ServerLog = {
  call(entry: CallEntry): void;
  note(message: string, about?: Readonly<Record<string, string | number>>): void;
  fault(fault: unknown): void;
};

/** Creates a log that passes its lines to `write`. */
export function serverLog(write: (line: string) => void, clock: () => Date = () => new Date()): ServerLog {
  const line = (level: string, rest: object): void =>
    write(`${JSON.stringify({ at: clock().toISOString(), level, ...rest })}\n`);
  return {
    call: (entry) => line(entry.status >= 500 ? "error" : "info", { event: "call", ...entry }),
    note: (message, about = {}) => line("info", { event: "note", message, ...about }),
    // Only the stack is logged: the message of an error may quote what was sent.
    fault: (fault) => line("error", { event: "fault", ...describeFault(fault) }),
  };
}

function describeFault(fault: unknown): { readonly fault: string; readonly where?: string } {
  if (!(fault instanceof Error)) return { fault: typeof fault };
  const { message, stack = "" } = fault;
  const from = stack.indexOf(message); // a line of the message may look like a stack frame
  const [where] = stack
    .slice(from < 0 ? 0 : from + message.length)
    .split("\n")
    .filter((part) => part.trimStart().startsWith("at "));
  return { fault: fault.name, ...(where === undefined ? {} : { where: where.trim().slice(0, 200) }) };
}
