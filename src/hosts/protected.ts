import type { BlockPart, Marks } from "./host.ts";

/** What an assistant reaches through the server only, as patterns of an ignore file; at any depth, for bots with an area of their own. */
export const protectedPaths: readonly string[] = [".waymark/", "workflow_state.json", "activity_log.json"];

/** The same as globs. */
export const protectedGlobs: readonly string[] = protectedPaths.map((path) =>
  path.endsWith("/") ? `**/${path}**` : `**/${path}`,
);

/** The marks around our lines in an ignore file. */
export const hashMarks: Marks = { begin: "# waymark begin", end: "# waymark end" };

/** The block that keeps a host's file tools away from what is the server's. */
export const protectedBlock: BlockPart = { kind: "block", marks: hashMarks, lines: protectedPaths };
