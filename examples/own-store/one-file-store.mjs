import { randomUUID } from "node:crypto";
import { unwatchFile, watchFile } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { emptyChain, extend, fileStore, replay, toLine, verifyLines, viewsOnRequest } from "waymark";

/**
 * A custom store: the histories of all streams in one file, `histories.jsonl`; content and signed heads as the
 * package keeps them, views made on request.
 *
 * @param {string} projectArea
 * @returns {import("waymark").Store}
 */
export function oneFileStore(projectArea) {
  const log = oneFileLog(join(projectArea, "histories.jsonl"));
  const { content, heads, close } = fileStore(projectArea, { clock: () => new Date() });
  return {
    log,
    views: viewsOnRequest(log),
    content,
    heads,
    close() {
      log.close();
      close();
    },
  };
}

/**
 * Each line names a stream and holds one record of its chain, as text: the hash of that text is what the next record names.
 *
 * @param {string} file
 * @returns {import("waymark").EventLog}
 */
export function oneFileLog(file) {
  const streams = new Map();
  const follows = new Set();
  let read = 0;

  function streamOf(id) {
    const key = keyOf(id);
    const known = streams.get(key) ?? {
      id,
      chain: emptyChain(),
      texts: new Map(),
      records: [],
      stream: replay([]),
    };
    streams.set(key, known);
    return known;
  }

  /** Takes one line of the file in: the first record that extends the chain of its stream counts, any other does not. */
  function take(id, text, offset) {
    const entry = streamOf(id);
    entry.texts.set(offset, text);
    for (const link of extend(entry.chain, Buffer.from(text), offset)) {
      const { seq, events } = link.record;
      entry.records.push({ seq, hash: link.hash, text: entry.texts.get(link.offset), events });
      entry.texts.delete(link.offset);
      entry.stream = replay(events, entry.stream);
    }
  }

  /** Reads the lines written since the last time; throws if a history has lost records. */
  async function catchUp() {
    const bytes = await bytesFrom(file, read);
    const end = bytes.lastIndexOf("\n") + 1;
    for (const { id, text, offset } of linesIn(bytes.subarray(0, end), read)) if (id !== null) take(id, text, offset);
    read += end;
    for (const { id, chain } of streams.values())
      if (chain.waiting.size > 0) throw new Error(`${file}: records of ${id.name} are missing or were changed.`);
  }

  let last = Promise.resolve();
  /** One thing at a time: reading and writing take turns in this window. Other windows are the chain's matter. */
  function inTurn(work) {
    const result = last.then(work, work);
    last = result.catch(() => undefined);
    return result;
  }
  const lookAt = (id) => inTurn(() => catchUp().then(() => streamOf(id)));

  return {
    async streams(kind) {
      await inTurn(catchUp);
      const begun = [...streams.values()].filter(({ chain }) => chain.seq > 0).map(({ id }) => id);
      return begun.filter((id) => kind === undefined || id.kind === kind);
    },
    has: async (id) => (await lookAt(id)).chain.seq > 0,
    async load(id) {
      const { chain, stream } = await lookAt(id);
      return { seen: chain.seq, head: chain.head, stream, warnings: [] };
    },
    append: (id, seen, events, { answers }) =>
      inTurn(async () => {
        await catchUp();
        const { chain, records } = streamOf(id);
        if (chain.seq !== seen) return { status: "behind", warnings: [] };
        if (events.length === 0) return { status: "recorded", warnings: [] };
        const saw = answers === undefined ? {} : { saw: answers };
        const line = toLine({ seq: seen + 1, prev: chain.head, op: randomUUID(), ...saw, events });
        try {
          await write(file, JSON.stringify({ stream: partsOf(id), record: line.text }));
        } catch (error) {
          return { status: "failed", warnings: [`${file} cannot be written: ${error.code}.`] }; // nothing is held here
        }
        await catchUp();
        return { status: records[seen]?.hash === line.hash ? "recorded" : "behind", warnings: [] };
      }),
    async *records(id, from = 0) {
      yield* (await lookAt(id)).records.slice(from);
    },
    watch(_, changed) {
      const listener = () => changed();
      const stop = () => {
        unwatchFile(file, listener);
        follows.delete(stop);
      };
      watchFile(file, { interval: 100, persistent: false }, listener);
      follows.add(stop);
      return stop;
    },
    follow(changed) {
      const known = new Map();
      const look = async () => {
        await inTurn(catchUp);
        const moved = [...streams.entries()].filter(([key, { chain }]) => chain.seq !== (known.get(key) ?? 0));
        for (const [key, { chain }] of moved) known.set(key, chain.seq);
        return moved.map(([, { id }]) => id);
      };
      const first = look(); // what was there before is not told
      const listener = async () => {
        await first;
        const ids = await look();
        if (follows.has(stop) && ids.length > 0) changed(ids);
      };
      const stop = () => {
        unwatchFile(file, listener);
        follows.delete(stop);
      };
      watchFile(file, { interval: 100, persistent: false }, listener);
      follows.add(stop);
      return stop;
    },
    async audit(id) {
      const bytes = await bytesFrom(file, 0);
      const all = linesIn(bytes, 0);
      const own = all.filter((line) => line.id !== null && keyOf(line.id) === keyOf(id));
      const verified = verifyLines((line) => {
        for (const [at, { text, offset }] of own.entries()) line(Buffer.from(text), offset, at + 1);
      });
      const unreadable = all.filter((line) => line.id === null).length;
      return {
        ...verified,
        unfinished: bytes.length - (bytes.lastIndexOf("\n") + 1),
        doubts:
          unreadable === 0 ? [] : [`${unreadable} ${unreadable === 1 ? "line" : "lines"} of ${file} cannot be read`],
        place: file,
        ...(own.length === 0 ? { missing: "its history is gone" } : {}),
      };
    },
    hasUnwritten: () => false,
    close() {
      for (const stop of [...follows]) stop();
    },
  };
}

/** Tells a stream from every other: its kind, its name, and the run of a bot that has one. */
function keyOf(id) {
  return JSON.stringify(partsOf(id));
}

function partsOf({ kind, name, run }) {
  return run === undefined ? [kind, name] : [kind, name, run];
}

/** The lines that are not empty, with the stream that each belongs to; null for one that cannot be read. */
function linesIn(bytes, from) {
  const lines = [];
  for (let start = 0, end = bytes.indexOf("\n"); end >= 0; start = end + 1, end = bytes.indexOf("\n", start))
    if (end > start) lines.push({ ...parsed(bytes.toString("utf8", start, end)), offset: from + start });
  return lines;
}

function parsed(line) {
  try {
    const { stream, record } = JSON.parse(line);
    const [kind, name, run] = stream;
    return { id: { kind, name, ...(run === undefined ? {} : { run }) }, text: String(record) };
  } catch {
    return { id: null, text: line }; // torn off by a crash, or damaged
  }
}

async function bytesFrom(file, offset) {
  const handle = await open(file, "r").catch((error) => {
    if (error.code === "ENOENT" && offset === 0) return undefined;
    throw error;
  });
  if (handle === undefined) return Buffer.alloc(0);
  try {
    const { size } = await handle.stat();
    if (size < offset) throw new Error(`${file} is shorter than it was.`);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - offset), 0, size - offset, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Appends with one write and syncs. It begins on a new line, so that a torn line before it does no harm. */
async function write(file, line) {
  const handle = await open(file, "a");
  try {
    const bytes = Buffer.from(`\n${line}\n`);
    const { bytesWritten } = await handle.write(bytes);
    if (bytesWritten < bytes.length) throw Object.assign(new Error("cut short"), { code: "ENOSPC" });
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
