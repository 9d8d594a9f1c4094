/** Bytes that only grow, at constant cost per addition. */
export type GrowingBytes = {
  add(text: string): void;
  length(): number;
  /** The bytes so far; later additions do not change them. */
  view(): Buffer;
};

/** Starts with a text. */
export function growingBytes(text: string): GrowingBytes {
  return growing(Buffer.byteLength(text), () => Buffer.from(text));
}

/** Starts with bytes that are fetched on first use. */
export function growing(known: number, fetch: () => Buffer): GrowingBytes {
  let room: Buffer | undefined;
  let filled = known;
  /** Pending texts: encoding many short ones at once is faster. */
  let texts: string[] = [];
  let added: Buffer[] = [];
  let length = known;

  function encode(): void {
    if (texts.length === 0) return;
    const bytes = Buffer.from(texts.join(""));
    texts = [];
    added.push(bytes);
    length += bytes.length;
  }

  function putTogether(): Buffer {
    encode();
    const bytes = room ?? fetch();
    room = length > bytes.length ? Buffer.allocUnsafe(Math.max(1024, 2 * length)) : bytes;
    if (room !== bytes) bytes.copy(room, 0, 0, filled);
    for (const more of added) filled += more.copy(room, filled);
    added = [];
    return room;
  }

  return {
    add(text) {
      texts.push(text);
      if (texts.length === most) encode();
    },
    length() {
      encode();
      return length;
    },
    view: () => putTogether().subarray(0, length),
  };
}

const most = 64;
