import { hash } from "node:crypto";
import { join } from "node:path";
import type { Pins } from "../../engine/ports.ts";
import { replaceFile } from "./disk.ts";
import { unlessFault } from "./faults.ts";
import { readPlain } from "./plain-file.ts";
import { keepClear } from "./way.ts";

/**
 * Copies of definitions, each in a file named by what it says. They hold every phase, so they are kept where the
 * definitions are, and in the last folder only where nothing can be written in the first: an assistant whose file
 * tools do not reach the definitions does not reach the copies either.
 */
export function filePins(folders: readonly string[]): Pins {
  const places = (pin: string): string[] => folders.map((folder) => join(folder, `${pin}.json`));
  const read = (pin: string): string | undefined => {
    for (const file of places(pin)) {
      const text = unlessFault(() => readPlain(file).toString("utf8"));
      if (text !== undefined && sha256(text) === pin) return text;
    }
    return undefined;
  };
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
    find: async (pin) => (/^[0-9a-f]{64}$/.test(pin) ? read(pin) : undefined),
  };
}

function sha256(text: string): string {
  return hash("sha256", text);
}
