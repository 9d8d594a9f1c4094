import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { PinStore } from "../../engine/ports/pins.ts";
import { unlessIoError } from "../../kit/io-errors.ts";
import { sha256 } from "../../kit/sha256.ts";
import { replaceFile } from "./atomic-file.ts";
import { readPlain } from "./plain-file.ts";
import { requireClearPath } from "./safe-folder.ts";

/**
 * Copies of definitions, each named by its hash. They contain every phase, so they are stored with the definitions, where an assistant's
 * file tools do not reach, and in the last folder only if nothing else is writable. `alsoIn` is read only.
 */
export function filePins(folders: readonly string[], alsoIn: readonly string[] = []): PinStore {
  const places = (pin: string): string[] =>
    [...new Set([...folders, ...alsoIn])].map((folder) => join(folder, `${pin}.json`));
  const readAt = (file: string): string | undefined => unlessIoError(() => readPlain(file).toString("utf8"));
  const read = (pin: string): string | undefined => {
    for (const file of places(pin)) {
      const text = readAt(file);
      if (text !== undefined && sha256(text) === pin) return text;
    }
    return undefined;
  };
  /** Tells if the file is not a copy of that name: another text, a link, a folder. */
  const isOtherText = (file: string, pin: string): boolean =>
    lstatSync(file, { throwIfNoEntry: false }) !== undefined && sha256(readAt(file) ?? "") !== pin;
  return {
    async keep(text) {
      const pin = sha256(text);
      if (read(pin) !== undefined) return pin;
      for (const folder of folders) {
        const kept = unlessIoError(() => {
          requireClearPath(folder);
          return replaceFile(join(folder, `${pin}.json`), [Buffer.from(text)], folder, { durable: true });
        });
        if (kept !== undefined) return pin;
      }
      return undefined;
    },
    find: async (pin) => (isPin(pin) ? read(pin) : undefined),
    async inspect(pin) {
      const [first = ""] = places(pin);
      if (!isPin(pin)) return { verdict: "gone", place: first };
      const changed = places(pin).find((file) => isOtherText(file, pin));
      if (changed !== undefined) return { verdict: "changed", place: changed };
      return { verdict: read(pin) === undefined ? "gone" : "whole", place: first };
    },
  };
}

/** Pins become file names. */
function isPin(pin: string): boolean {
  return /^[0-9a-f]{64}$/.test(pin);
}
