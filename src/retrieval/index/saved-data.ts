import { deserialize, serialize } from "node:v8";
import { crc32 } from "node:zlib";

/** Serializes data behind a mark, which names its form, and a checksum. */
export function encodeData(mark: string, data: unknown): Buffer {
  const body = serialize(data);
  const front = Buffer.alloc(mark.length + 4);
  front.write(mark, 0, "latin1");
  front.writeUInt32LE(crc32(body), mark.length);
  return Buffer.concat([front, body]);
}

/** Reads data back; undefined if it is damaged or has another mark. */
export function decodeData(mark: string, bytes: Buffer): unknown {
  const body = bytes.subarray(mark.length + 4);
  if (bytes.length < mark.length + 4 || !hasMark(mark, bytes)) return undefined;
  return bytes.readUInt32LE(mark.length) === crc32(body) ? deserialize(body) : undefined;
}

/** Tells if bytes begin with a mark. */
export function hasMark(mark: string, bytes: Buffer): boolean {
  return bytes.toString("latin1", 0, mark.length) === mark;
}
