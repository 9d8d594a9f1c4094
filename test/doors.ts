/** How a test's window reaches the engine: as a process would, or over HTTP, with histories in files or in PostgreSQL. */
export type Transport = "stdio" | "http-files" | "http-postgres";

const transports: readonly Transport[] = ["stdio", "http-files", "http-postgres"];

/** The transport of this test run; `WAYMARK_DOOR` names one other than stdio. */
export const transport: Transport = transports.find((one) => one === process.env.WAYMARK_DOOR) ?? "stdio";

/** True if assistants are remote: the server sees none of their files and runs nothing for them. */
export const isRemote = transport !== "stdio";

/** True over HTTP; names the difference for which a test is skipped there. */
export function overHttp(_different: string): boolean {
  return isRemote;
}

/** True if a database keeps everything and there are no files; names the difference. */
export function inDatabase(_different: string): boolean {
  return transport === "http-postgres";
}
