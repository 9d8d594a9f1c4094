import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { CommandCheck, Pin } from "../../evidence/check.ts";
import { checkMeaning, nameOf } from "../../evidence/check-verdict.ts";
import type { Json } from "../../evidence/json.ts";
import { valueAt } from "../../evidence/json-pointer.ts";

/** Names what a command would run as it stands: the check as its author wrote it, with what is pinned to it. */
export async function definitionOf(area: string, check: CommandCheck): Promise<string> {
  const pinned = await Promise.all(check.pins.map((pin) => pinnedValue(area, pin)));
  return nameOf([checkMeaning(check), pinned]);
}

/** What a pin points at, now; null where it points at nothing. */
export async function pinnedValue(area: string, { file, pointer }: Pin): Promise<Json> {
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
