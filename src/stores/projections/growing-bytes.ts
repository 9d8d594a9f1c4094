/** Bytes that only grow: adding to them costs the same however many there are. */
export type GrowingBytes = {
  add(text: string): void;
  length(): number;
  /** What was added so far: later additions do not change it. */
  view(): Buffer;
};

/** Begins with a text. */
export function growingBytes(text: string): GrowingBytes {
  return growing(Buffer.byteLength(text), () => Buffer.from(text));
}

/** Begins with bytes that are fetched when somebody needs them. */
export function growing(known: number, fetch: () => Buffer): GrowingBytes {
  let buffer: Buffer | undefined;
  let length = known;
  /** Added and not yet written: many short texts are quicker to write as one. */
  let news: string[] = [];

  function write(): Buffer {
    let room = buffer ?? fetch();
    if (news.length > 0) {
      const more = Buffer.from(news.join(""));
      news = [];
      if (length + more.length > room.length) {
        const larger = Buffer.allocUnsafe(Math.max(1024, 2 * (length + more.length)));
        room.copy(larger, 0, 0, length);
        room = larger;
      }
      length += more.copy(room, length);
    }
    buffer = room;
    return room;
  }

  return {
    add(text) {
      news.push(text);
      if (news.length === most) write();
    },
    length() {
      if (news.length > 0) write();
      return length;
    },
    view: () => write().subarray(0, length),
  };
}

const most = 64;
