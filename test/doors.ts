/** How a test's window reaches the engine: as a process would, or over HTTP, with histories in files or in PostgreSQL. */
export type Door = "stdio" | "http-files" | "http-postgres";

const doors: readonly Door[] = ["stdio", "http-files", "http-postgres"];

/** The door of this run of the tests: `WAYMARK_DOOR` names another than stdio. */
export const door: Door = doors.find((one) => one === process.env.WAYMARK_DOOR) ?? "stdio";

/** Whether assistants are elsewhere: the server sees none of their files, and runs nothing for them. */
export const isRemote = door !== "stdio";

/** True over HTTP, where something is different, as it says: there a test of it is left out. */
export function overHttp(_different: string): boolean {
  return isRemote;
}

/** True where a database keeps everything and no file stands anywhere, so that something is different, as it says. */
export function inDatabase(_different: string): boolean {
  return door === "http-postgres";
}
