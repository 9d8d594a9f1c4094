/** The status of a run in one word: waiting for a person, refused twice by its gate, moving, idle for long, done, or archived. */
export type RunCondition = "waits" | "stuck" | "working" | "quiet" | "finished" | "archived";
