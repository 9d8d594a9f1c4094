import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** A standard as read: its text, only its head if it is not searched, or gone. */
export type Reading =
  | { readonly kind: "text"; readonly text: string; readonly hash: string }
  | { readonly kind: "head"; readonly head: string; readonly hash: string; readonly problem: string }
  | { readonly kind: "gone"; readonly hash: "" };

/** A larger file is data, not a page to read. */
const largest = 2 * 1024 * 1024;
const headSize = 64 * 1024;

/** Reads one file, never through a link; one that is too large or not text returns its head, so that its front matter still counts. */
export async function readDocument(path: string): Promise<Reading> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = await file.stat();
    const { size, mtimeMs } = stats;
    if (!stats.isFile()) return unread("is not a file");
    if (size > largest) return { ...headOf(await readHead(file), `${size} ${mtimeMs}`), problem: tooLarge };
    const bytes = await file.readFile();
    if (bytes.includes(0)) return { ...headOf(bytes.subarray(0, headSize), bytes), problem: notText };
    return { kind: "text", text: bytes.toString("utf8"), hash: hashOf(bytes) };
  } catch (error) {
    const isGone = error instanceof Error && "code" in error && /ENOENT|ENOTDIR|ELOOP/.test(String(error.code));
    return isGone ? { kind: "gone", hash: "" } : unread("cannot be read");
  } finally {
    await file?.close();
  }
}

const tooLarge = `is larger than ${largest / 1024 / 1024} MB and is not searched`;
const notText = "is not text and is not searched";

/** The hash of a file's content, for detecting changes. */
export function hashOf(content: Buffer | string): string {
  return createHash("sha256").update(content).digest("base64url").slice(0, 22);
}

function headOf(head: Buffer, content: Buffer | string) {
  return { kind: "head", head: head.toString("utf8"), hash: hashOf(content) } as const;
}

async function readHead(file: FileHandle): Promise<Buffer> {
  const head = Buffer.alloc(headSize);
  return head.subarray(0, (await file.read(head, 0, headSize, 0)).bytesRead);
}

function unread(why: string): Reading {
  return { kind: "head", head: "", hash: "", problem: `${why} and is not searched` };
}
