import { appendFileSync } from "node:fs";
import { dirname } from "node:path";
import { isObject } from "../../../evidence/json.ts";
import { parseObject } from "../../projections/json-text.ts";
import { replaceFile } from "../disk.ts";
import { unlessFault } from "../faults.ts";
import { makeFolders } from "../make-folders.ts";
import { readPlain } from "../plain-file.ts";

/** A record of a history: its number, and the hash of its line. */
export type Head = { readonly seq: number; readonly head: string };

/** What was found wrong with a history, in words, and when. `changed`: a record that was seen is not what it was. */
export type Dispute = { readonly at: string; readonly text: string; readonly changed?: true };

/** What this machine has seen of one history, remembered outside the project as well as it can be: nothing waits for it. */
export type Seen = {
  /** The record that the history ended with when it was last looked at. */
  last(): Head | undefined;
  /** Whether a record was ever seen here, as far as that is remembered. */
  has(head: string): boolean;
  /** What was found and no person has accepted yet. */
  disputes(): readonly Dispute[];
  /** Whether a checkpoint of it was sealed here. */
  isSealed(): boolean;
  /** A record was read: remembered with the next `keep`. Answers whether it was seen before. */
  note(record: Head): boolean;
  /** What was noted so far counts as seen from now on. */
  learn(): void;
  /** Remembers what was noted, and that the history ends here. */
  keep(end: Head): void;
  dispute(dispute: Dispute): void;
  sealed(): void;
  /** A person has taken the history as it stands, and what these hashes name. */
  accept(at: string, hashes: readonly string[]): void;
  /** Whether a person has accepted here what a hash names, in whichever process. */
  hasAccepted(hash: string): boolean;
};

/** Opens what is remembered in a file: a line for each thing, added to by any number of processes. */
export function openSeen(file: string, began: () => void = () => {}): Seen {
  const memory = readMemory(file);
  let noted: Head[] = [];

  function add(lines: readonly string[]): void {
    const text = lines.join("");
    unlessFault(() => {
      if (memory.size === 0) {
        makeFolders(dirname(file), 0o700);
        began();
      }
      if (memory.size + text.length > mostBytes) memory.size = shorten(file);
      appendFileSync(file, text, { mode: 0o600 });
      memory.size += text.length;
    });
  }

  return {
    last: () => memory.last,
    has: (head) => memory.heads.has(short(head)),
    disputes: () => memory.disputes,
    isSealed: () => memory.isSealed,
    note(record) {
      const isSeen = memory.heads.size > 0 && memory.heads.has(short(record.head));
      if (!isSeen) noted.push(record);
      if (noted.length > mostNoted) noted = noted.slice(-mostNoted / 2);
      return isSeen;
    },
    learn() {
      for (const { head } of noted) memory.heads.add(short(head));
    },
    keep(end) {
      if (memory.last?.head === short(end.head) || (end.seq === 0 && memory.last === undefined)) return;
      const all = noted.at(-1)?.head === end.head ? noted : [...noted, end];
      noted = [];
      for (const { head } of all) memory.heads.add(short(head));
      memory.last = { seq: end.seq, head: short(end.head) };
      add(all.map(({ seq, head }) => `${seq} ${short(head)}\n`));
    },
    dispute(dispute) {
      if (memory.disputes.some(({ text }) => text === dispute.text)) return;
      memory.disputes.push(dispute);
      add([`! ${JSON.stringify(dispute)}\n`]);
    },
    sealed() {
      if (!memory.isSealed) add(["sealed\n"]);
      memory.isSealed = true;
    },
    accept(at, hashes) {
      memory.disputes = [];
      for (const hash of hashes) memory.accepted.add(short(hash));
      add([`accepted ${at}\n`, ...hashes.map((hash) => `+ ${short(hash)}\n`)]);
    },
    hasAccepted(hash) {
      if (!memory.accepted.has(short(hash))) for (const one of readMemory(file).accepted) memory.accepted.add(one);
      return memory.accepted.has(short(hash));
    },
  };
}

/** Tells whether a record is one that was remembered. */
export function isSameHead(one: Head, other: Head): boolean {
  return one.seq === other.seq && short(one.head) === short(other.head);
}

/** So much of a hash tells one record from every other. */
function short(head: string): string {
  return head.slice(0, 32);
}

/** What is longer than this, in bytes, is cut to its newer half: some thousands of records. */
const mostBytes = 1 << 18;
const mostNoted = 4000;

type Memory = {
  size: number;
  last: Head | undefined;
  heads: Set<string>;
  disputes: Dispute[];
  accepted: Set<string>;
  isSealed: boolean;
};

function readMemory(file: string): Memory {
  const text = unlessFault(() => readPlain(file).toString("utf8")) ?? "";
  const memory: Memory = {
    size: text.length,
    last: undefined,
    heads: new Set(),
    disputes: [],
    accepted: new Set(),
    isSealed: false,
  };
  for (const line of text.split("\n")) {
    const [, seq, head] = /^(\d+) ([0-9a-f]{32})$/.exec(line) ?? [];
    if (seq !== undefined && head !== undefined) {
      memory.heads.add(head);
      memory.last = { seq: Number(seq), head };
    } else if (line.startsWith("! ")) memory.disputes.push(...readDispute(line.slice(2)));
    else if (line.startsWith("accepted ")) memory.disputes = [];
    else if (/^\+ [0-9a-f]{32}$/.test(line)) memory.accepted.add(line.slice(2));
    else if (line === "sealed") memory.isSealed = true;
  }
  return memory;
}

function readDispute(text: string): readonly Dispute[] {
  const found = parseObject(text);
  if (!isObject(found) || typeof found.at !== "string" || typeof found.text !== "string") return [];
  return [{ at: found.at, text: found.text, ...(found.changed === true ? { changed: true } : {}) }];
}

/** Keeps the newer half of the records, everything that is not accepted, and what was; answers how long it is now. */
function shorten(file: string): number {
  const { disputes, accepted, isSealed } = readMemory(file);
  const records = readPlain(file)
    .toString("utf8")
    .split("\n")
    .filter((line) => /^\d/.test(line));
  const lines = [
    ...(isSealed ? ["sealed"] : []),
    ...disputes.map((dispute) => `! ${JSON.stringify(dispute)}`),
    ...[...accepted].map((hash) => `+ ${hash}`),
    ...records.slice(records.length / 2),
  ];
  const text = `${lines.join("\n")}\n`;
  replaceFile(file, [Buffer.from(text)], dirname(file), { durable: false, mode: 0o600 });
  return text.length;
}
