import { readFileSync } from "node:fs";

/** The text of a file, undefined if it does not exist, or why it cannot be read. */
export type TextRead = { readonly text: string | undefined } | { readonly problem: string };

/** Reads a text file whole; a file that is not UTF-8 is refused, so that it is never written back damaged. */
export function readText(path: string): TextRead {
  try {
    const bytes = readFileSync(path);
    const text = bytes.toString("utf8");
    return Buffer.from(text).equals(bytes) ? { text } : { problem: "it is not UTF-8 text" };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return { text: undefined };
    if (typeof code === "string") return { problem: `it cannot be read (${code})` };
    throw error;
  }
}
