import { crc32 } from "node:zlib";

/** Vectors by the hash of their text. */
export type Vectors = ReadonlyMap<string, Float32Array>;

const keyLength = 22;
const frontSize = 12;

/** Encodes vectors of one width: a checksum, the width, then keys and numbers. */
export function encodeVectors(vectors: Vectors): Buffer {
  const width = vectors.values().next().value?.length ?? 0;
  const same = [...vectors].filter(([key, vector]) => vector.length === width && key.length === keyLength);
  const numbers = new Float32Array(same.length * width);
  same.forEach(([, vector], at) => {
    numbers.set(vector, at * width);
  });
  const keys = Buffer.from(same.map(([key]) => key).join(""), "latin1");
  const body = Buffer.concat([keys, Buffer.from(numbers.buffer)]);
  const front = Buffer.alloc(frontSize);
  front.writeUInt32LE(crc32(body), 0);
  front.writeUInt32LE(width, 4);
  front.writeUInt32LE(same.length, 8);
  return Buffer.concat([front, body]);
}

/** Decodes vectors; empty if the bytes are damaged, since they can be requested again. */
export function decodeVectors(bytes: Buffer): Map<string, Float32Array> {
  const found = new Map<string, Float32Array>();
  if (bytes.length < frontSize) return found;
  const body = bytes.subarray(frontSize);
  const [sum, width, count] = [bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(8)];
  if (sum !== crc32(body) || body.length !== count * (keyLength + width * 4)) return found;
  const numbers = new Float32Array(Uint8Array.from(body.subarray(count * keyLength)).buffer);
  for (let at = 0; at < count; at++)
    found.set(
      body.toString("latin1", at * keyLength, (at + 1) * keyLength),
      numbers.subarray(at * width, (at + 1) * width),
    );
  return found;
}
