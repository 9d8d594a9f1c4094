import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { isPathInside } from "../../kit/is-path-inside.ts";

const mostBytes = 5 * 1024 * 1024;

/** A larger file is told from others by its size and when it was changed: its content would take too long to hash. */
export const mostHashed = 2 ** 30;

/** The text of a plain file; undefined if there is none, only through a link, or if it is too large. */
export async function readPlain(area: string, path: string): Promise<string | undefined> {
  return withPlain(area, path, (file, size) => (size <= mostBytes ? file.readFile("utf8") : undefined));
}

/** The SHA-256 of a plain file; undefined if there is none or only through a link. Of another size than `bytes` it is not read. */
export async function hashOfPlain(area: string, path: string, bytes?: number): Promise<string | undefined> {
  return withPlain(area, path, (file, size) =>
    bytes === undefined || size === bytes ? sha256File(file) : Promise.resolve(`${size} bytes`),
  );
}

/** Tells if there is a plain file at a path, not only through a link. */
export async function isPlainFile(area: string, path: string): Promise<boolean> {
  return (await withPlain(area, path, () => Promise.resolve(path))) !== undefined;
}

/** The SHA-256 of an open file of any size. */
export async function sha256File(file: FileHandle): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(file.createReadStream({ autoClose: false }), hash);
  return hash.digest("hex");
}

async function withPlain(
  area: string,
  path: string,
  read: (file: FileHandle, size: number) => Promise<string> | undefined,
): Promise<string | undefined> {
  try {
    const root = await realpath(area);
    const file = await realpath(join(root, path));
    if (file !== join(root, path) || !isPathInside(root, file)) return undefined; // a link would lead to another file
    return await withOpened(file, constants.O_NOFOLLOW, read);
  } catch {
    return undefined;
  }
}

/** Reads from a file if it is a plain one; never waits for a pipe. */
export async function withOpened(
  path: string,
  flags: number,
  read: (file: FileHandle, size: number) => Promise<string> | undefined,
): Promise<string | undefined> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | flags);
  try {
    const found = await handle.stat();
    return found.isFile() ? await read(handle, found.size) : undefined;
  } finally {
    await handle.close();
  }
}
