import type { BlockPart, Marks } from "./host.ts";

/** Paths an assistant reaches only through the server, as ignore-file patterns at any depth. */
export const protectedPaths: readonly string[] = [".waymark/", "workflow_state.json", "activity_log.json"];

/** The protected paths as globs. */
export const protectedGlobs: readonly string[] = protectedPaths.map((path) =>
  path.endsWith("/") ? `**/${path}**` : `**/${path}`,
);

/** The marks around our lines in an ignore file. */
export const hashMarks: Marks = { begin: "# waymark begin", end: "# waymark end" };

/** The block that keeps a host's file tools away from the server's files. */
export const protectedBlock: BlockPart = { kind: "block", marks: hashMarks, lines: protectedPaths };
