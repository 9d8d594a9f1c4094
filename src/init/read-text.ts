import { readFileSync } from "node:fs";

/** The text of a file, nothing where there is none, or why it cannot be read. */
export type TextRead = { readonly text: string | undefined } | { readonly problem: string };

/** Reads a text file whole; what is not text must not be written back as if it were. */
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
