import { randomUUID } from "node:crypto";
import { unwatchFile, watchFile } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { emptyChain, extend, fileStore, replay, toLine, verifyLines, viewsOnRequest } from "waymark";

/**
 * A store of one's own: the histories of all desks in one file, `histories.jsonl`; content and signed heads as the
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
 * Each line names a desk and holds one record of its chain, as text: the hash of that text is what the next record names.
 *
 * @param {string} file
 * @returns {import("waymark").EventLog}
 */
export function oneFileLog(file) {
  const desks = new Map();
  const follows = new Set();
  let read = 0;

  function deskOf(id) {
    const key = keyOf(id);
    const known = desks.get(key) ?? {
      id,
      chain: emptyChain(),
      texts: new Map(),
      records: [],
      desk: replay([]),
    };
    desks.set(key, known);
    return known;
  }

  /** Takes one line of the file in: the first record that extends the chain of its desk counts, any other does not. */
  function take(id, text, offset) {
    const entry = deskOf(id);
    entry.texts.set(offset, text);
    for (const link of extend(entry.chain, Buffer.from(text), offset)) {
      const { seq, events } = link.record;
      entry.records.push({ seq, hash: link.hash, text: entry.texts.get(link.offset), events });
      entry.texts.delete(link.offset);
      entry.desk = replay(events, entry.desk);
    }
  }

  /** Reads what anybody wrote since the last time. A history that lost something is not gone on with. */
  async function catchUp() {
    const bytes = await bytesFrom(file, read);
    const end = bytes.lastIndexOf("\n") + 1;
    for (const { id, text, offset } of linesIn(bytes.subarray(0, end), read)) if (id !== null) take(id, text, offset);
    read += end;
    for (const { id, chain } of desks.values())
      if (chain.waiting.size > 0) throw new Error(`${file}: records of ${id.name} are missing or were changed.`);
  }

  let last = Promise.resolve();
  /** One thing at a time: reading and writing take turns in this window. Other windows are the chain's matter. */
  function inTurn(work) {
    const result = last.then(work, work);
    last = result.catch(() => undefined);
    return result;
  }
  const lookAt = (id) => inTurn(() => catchUp().then(() => deskOf(id)));

  return {
    async desks(kind) {
      await inTurn(catchUp);
      const begun = [...desks.values()].filter(({ chain }) => chain.seq > 0).map(({ id }) => id);
      return begun.filter((id) => kind === undefined || id.kind === kind);
    },
    has: async (id) => (await lookAt(id)).chain.seq > 0,
    async look(id) {
      const { chain, desk } = await lookAt(id);
      return { seen: chain.seq, head: chain.head, desk, warnings: [] };
    },
    append: (id, seen, events, { answers }) =>
      inTurn(async () => {
        await catchUp();
        const { chain, records } = deskOf(id);
        if (chain.seq !== seen) return { status: "behind", warnings: [] };
        if (events.length === 0) return { status: "recorded", warnings: [] };
        const saw = answers === undefined ? {} : { saw: answers };
        const line = toLine({ seq: seen + 1, prev: chain.head, op: randomUUID(), ...saw, events });
        try {
          await write(file, JSON.stringify({ desk: deskIn(id), record: line.text }));
        } catch (error) {
          return { status: "failed", warnings: [`${file} cannot be written: ${error.code}.`] }; // nothing is held here
        }
        await catchUp();
        return { status: records[seen]?.hash === line.hash ? "recorded" : "behind", warnings: [] };
      }),
    async *records(id, from = 0) {
      yield* (await lookAt(id)).records.slice(from);
    },
    follow(_, changed) {
      const told = () => changed();
      const stop = () => {
        unwatchFile(file, told);
        follows.delete(stop);
      };
      watchFile(file, { interval: 100, persistent: false }, told);
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
        doubts: unreadable === 0 ? [] : [`${unreadable} line(s) of ${file} cannot be read`],
        place: file,
        ...(own.length === 0 ? { missing: "its history is gone" } : {}),
      };
    },
    owes: () => false,
    close() {
      for (const stop of [...follows]) stop();
    },
  };
}

/** Tells a desk from every other: its kind, its name, and the run of a bot that has one. */
function keyOf(id) {
  return JSON.stringify(deskIn(id));
}

function deskIn({ kind, name, run }) {
  return run === undefined ? [kind, name] : [kind, name, run];
}

/** The lines that are not empty, with the desk that each belongs to; null for one that cannot be read. */
function linesIn(bytes, from) {
  const lines = [];
  for (let start = 0, end = bytes.indexOf("\n"); end >= 0; start = end + 1, end = bytes.indexOf("\n", start))
    if (end > start) lines.push({ ...parsed(bytes.toString("utf8", start, end)), offset: from + start });
  return lines;
}

function parsed(line) {
  try {
    const { desk, record } = JSON.parse(line);
    const [kind, name, run] = desk;
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

/** One write in append mode, made to last. It begins on a line of its own, whatever a crash left before it. */
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
