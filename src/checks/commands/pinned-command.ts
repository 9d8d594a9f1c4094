import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { CommandCheck, Pin } from "../../gates/check.ts";
import { canonicalText, checkMeaning } from "../../gates/check-verdict.ts";
import type { Json } from "../../kit/json.ts";
import { valueAt } from "../../kit/json-pointer.ts";

/** Hashes what a command would run: the check as written, with its pins. */
export async function commandHash(area: string, check: CommandCheck): Promise<string> {
  const pinned = await Promise.all(check.pins.map((pin) => pinValue(area, pin)));
  return canonicalText([checkMeaning(check), pinned]);
}

/** The current value of a pin; null if it points at nothing. */
export async function pinValue(area: string, { file, pointer }: Pin): Promise<Json> {
  const text = await readText(join(area, file));
  if (text === undefined || pointer === undefined) return text ?? null;
  try {
    const value = valueAt(JSON.parse(text), pointer);
    return value === undefined ? null : JSON.parse(JSON.stringify(value));
  } catch {
    return null;
  }
}

async function readText(file: string): Promise<string | undefined> {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = await handle.stat();
      return found.isFile() && found.size <= 8 << 20 ? await handle.readFile("utf8") : undefined;
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}
