import { createHash } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";

/** The hash that names the objects of a repository. */
export type ObjectFormat = "sha1" | "sha256";

/** The object format that a name belongs to. */
export function formatOf(name: string): ObjectFormat {
  return name.length === 64 ? "sha256" : "sha1";
}

/**
 * The names that git may have given a file: as it is, with the line endings of a commit, and as the pointer that Git LFS commits for it;
 * undefined if it cannot be read.
 */
export async function blobNamesOfFile(file: string, size: bigint, format: ObjectFormat): Promise<string | undefined> {
  try {
    if (size > mostAtOnce) return await namesByStream(file, size, format);
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return blobNames(await handle.readFile(), format).join(" ");
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

/** The names that git may have given these bytes. */
export function blobNames(bytes: Buffer, format: ObjectFormat): readonly string[] {
  const pointer = lfsPointer(createHash("sha256").update(bytes).digest("hex"), bytes.length);
  return [bytes, ...committedLines(bytes), pointer].map((one) => nameOf(one, format));
}

function nameOf(bytes: Buffer, format: ObjectFormat): string {
  return createHash(format).update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

const mostAtOnce = 32n << 20n;

async function namesByStream(file: string, size: bigint, format: ObjectFormat): Promise<string> {
  const [blob, content] = [createHash(format).update(`blob ${size}\0`), createHash("sha256")];
  await pipeline(createReadStream(file), async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) {
      blob.update(piece);
      content.update(piece);
    }
  });
  return `${blob.digest("hex")} ${nameOf(lfsPointer(content.digest("hex"), size), format)}`;
}

/** A text checked out with CRLF throughout, with the LF it is committed with. */
function committedLines(bytes: Buffer): readonly Buffer[] {
  if (!bytes.includes("\r\n") || bytes.includes(0)) return [];
  const text = bytes.toString("latin1");
  return /(?<!\r)\n/.test(text) ? [] : [Buffer.from(text.replaceAll("\r\n", "\n"), "latin1")];
}

function lfsPointer(hash: string, size: number | bigint): Buffer {
  return Buffer.from(`version https://git-lfs.github.com/spec/v1\noid sha256:${hash}\nsize ${size}\n`);
}
