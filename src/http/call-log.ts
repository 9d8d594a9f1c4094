/** What is told of one answered request: nothing that it said, and nobody's token. */
export type CallEntry = {
  readonly method: string;
  /** Which part of the server it was for. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly project?: string | undefined;
  /** Whose token it was. */
  readonly by?: string | undefined;
  /** What was called, as the protocol names it, and which tool. */
  readonly call?: string;
  readonly tool?: string;
};

/** What is found out about a request on its way, for the log. */
export type Told = {
  route: string;
  by?: string | undefined;
  project?: string | undefined;
  call?: string;
  tool?: string;
};

/** Writes what happens as lines of JSON, for whatever collects them. */
export type ServerLog = {
  call(entry: CallEntry): void;
  note(message: string, about?: Readonly<Record<string, string | number>>): void;
  fault(fault: unknown): void;
};

/** A log that hands its lines to `write`. */
export function serverLog(write: (line: string) => void, clock: () => Date = () => new Date()): ServerLog {
  const line = (level: string, rest: object): void =>
    write(`${JSON.stringify({ at: clock().toISOString(), level, ...rest })}\n`);
  return {
    call: (entry) => line(entry.status >= 500 ? "error" : "info", { event: "call", ...entry }),
    note: (message, about = {}) => line("info", { event: "note", message, ...about }),
    // The stack says where; the message of a fault may quote what was sent, and is left out.
    fault: (fault) => line("error", { event: "fault", ...described(fault) }),
  };
}

function described(fault: unknown): { readonly fault: string; readonly where?: string } {
  if (!(fault instanceof Error)) return { fault: typeof fault };
  const { message, stack = "" } = fault;
  const from = stack.indexOf(message); // a line of the message may look like one of the stack
  const [where] = stack
    .slice(from < 0 ? 0 : from + message.length)
    .split("\n")
    .filter((part) => part.trimStart().startsWith("at "));
  return { fault: fault.name, ...(where === undefined ? {} : { where: where.trim().slice(0, 200) }) };
}
