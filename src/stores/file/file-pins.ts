import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Pins } from "../../engine/ports.ts";
import { sha256 } from "../../evidence/sha256.ts";
import { replaceFile } from "./disk.ts";
import { unlessFault } from "./faults.ts";
import { readPlain } from "./plain-file.ts";
import { keepClear } from "./way.ts";

/**
 * Copies of definitions, each in a file named by what it says. They hold every phase, so they are kept where the
 * definitions are, and in the last folder only where nothing can be written in the first: an assistant whose file
 * tools do not reach the definitions does not reach the copies either. What lies in `alsoIn` is read, and nothing kept there.
 */
export function filePins(folders: readonly string[], alsoIn: readonly string[] = []): Pins {
  const places = (pin: string): string[] =>
    [...new Set([...folders, ...alsoIn])].map((folder) => join(folder, `${pin}.json`));
  const readAt = (file: string): string | undefined => unlessFault(() => readPlain(file).toString("utf8"));
  const read = (pin: string): string | undefined => {
    for (const file of places(pin)) {
      const text = readAt(file);
      if (text !== undefined && sha256(text) === pin) return text;
    }
    return undefined;
  };
  /** What stands there is no copy of that name: another text, a link, a folder. */
  const standsOtherwise = (file: string, pin: string): boolean =>
    lstatSync(file, { throwIfNoEntry: false }) !== undefined && sha256(readAt(file) ?? "") !== pin;
  return {
    async keep(text) {
      const pin = sha256(text);
      if (read(pin) !== undefined) return pin;
      for (const folder of folders) {
        const kept = unlessFault(() => {
          keepClear(folder);
          return replaceFile(join(folder, `${pin}.json`), [Buffer.from(text)], folder, { durable: true });
        });
        if (kept !== undefined) return pin;
      }
      return undefined;
    },
    find: async (pin) => (isPin(pin) ? read(pin) : undefined),
    async look(pin) {
      const [first = ""] = places(pin);
      if (!isPin(pin)) return { verdict: "gone", place: first };
      const changed = places(pin).find((file) => standsOtherwise(file, pin));
      if (changed !== undefined) return { verdict: "changed", place: changed };
      return { verdict: read(pin) === undefined ? "gone" : "whole", place: first };
    },
  };
}

/** Names of files are made of it. */
function isPin(pin: string): boolean {
  return /^[0-9a-f]{64}$/.test(pin);
}
