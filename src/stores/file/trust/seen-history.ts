import { appendFileSync } from "node:fs";
import { dirname } from "node:path";
import { unlessIoError } from "../../../kit/io-errors.ts";
import { isObject } from "../../../kit/json.ts";
import { makeFolders } from "../../../kit/make-folders.ts";
import { parseObject } from "../../projections/json-text.ts";
import { replaceFile } from "../atomic-file.ts";
import { readPlain } from "../plain-file.ts";

/** A record's number and line hash. */
export type Head = { readonly seq: number; readonly head: string };

/** A problem found with a history, and when; `changed` means a seen record is different now. */
export type Dispute = { readonly at: string; readonly text: string; readonly changed?: true };

/** This machine's memory of one history, kept outside the project on a best-effort basis. */
export type SeenHistory = {
  /** The head at the last look. */
  last(): Head | undefined;
  /** Tells if a record was ever seen here, as far as remembered. */
  has(head: string): boolean;
  /** The findings no person has accepted yet. */
  disputes(): readonly Dispute[];
  /** Tells if a checkpoint of it was sealed here. */
  isSealed(): boolean;
  /** Notes a read record for the next `keep`; returns true if it was seen before. */
  note(record: Head): boolean;
  /** Counts everything noted so far as seen. */
  learn(): void;
  /** Stores what was noted, and the head. */
  keep(end: Head): void;
  dispute(dispute: Dispute): void;
  sealed(): void;
  /** A person accepted the history as it is, and what these hashes name. */
  accept(at: string, hashes: readonly string[]): void;
  /** Tells if a person accepted on this machine what a hash names. */
  hasAccepted(hash: string): boolean;
  /** A person had the history erased on this machine: what was seen of it is missing for a reason. */
  forget(): void;
  /** Tells if a record was of a history that a person had erased on this machine. */
  wasForgotten(head: string): boolean;
};

/** Opens a memory file: one line per fact, appended to by any process. */
export function openSeenHistory(file: string, began: () => void = () => {}): SeenHistory {
  let memory = readSeenFile(file);
  let noted: Head[] = [];

  function add(lines: readonly string[]): void {
    const text = lines.join("");
    unlessIoError(() => {
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
      if (!memory.accepted.has(short(hash))) for (const one of readSeenFile(file).accepted) memory.accepted.add(one);
      return memory.accepted.has(short(hash));
    },
    forget() {
      if (memory.size > 0) add(["forgotten\n"]);
      memory = readSeenFile(file);
      noted = [];
    },
    wasForgotten(head) {
      const now = readSeenFile(file);
      if (!now.forgotten.has(short(head))) return false;
      memory = now;
      noted = [];
      return true;
    },
  };
}

/** Tells if a record is the remembered one. */
export function isSameHead(one: Head, other: Head): boolean {
  return one.seq === other.seq && short(one.head) === short(other.head);
}

/** The prefix of a hash that identifies a record. */
function short(head: string): string {
  return head.slice(0, 32);
}

/** The size in bytes at which the older half is dropped: some thousands of records. */
const mostBytes = 1 << 18;
const mostNoted = 4000;

type SeenFile = {
  size: number;
  last: Head | undefined;
  heads: Set<string>;
  disputes: Dispute[];
  accepted: Set<string>;
  /** The records of earlier histories of the same name that a person had erased. */
  forgotten: Set<string>;
  isSealed: boolean;
};

function readSeenFile(file: string): SeenFile {
  const text = unlessIoError(() => readPlain(file).toString("utf8")) ?? "";
  const memory: SeenFile = {
    size: text.length,
    last: undefined,
    heads: new Set(),
    disputes: [],
    accepted: new Set(),
    forgotten: new Set(),
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
    else if (line === "forgotten")
      Object.assign(memory, {
        ...{ last: undefined, heads: new Set(), disputes: [], isSealed: false },
        forgotten: new Set([...memory.forgotten, ...memory.heads]),
      });
  }
  return memory;
}

function readDispute(text: string): readonly Dispute[] {
  const found = parseObject(text);
  if (!isObject(found) || typeof found.at !== "string" || typeof found.text !== "string") return [];
  return [{ at: found.at, text: found.text, ...(found.changed === true ? { changed: true } : {}) }];
}

/** Keeps the newer half of the records, all open findings and all acceptances; returns the new size. */
function shorten(file: string): number {
  const { disputes, accepted, isSealed } = readSeenFile(file);
  const all = readPlain(file).toString("utf8").split("\n");
  const records = all.slice(all.lastIndexOf("forgotten") + 1).filter((line) => /^\d/.test(line));
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
