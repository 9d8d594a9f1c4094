import { join } from "node:path";
import type { CommandCheck, Pin } from "../../gates/check.ts";
import { canonicalText, checkMeaning } from "../../gates/check-verdict.ts";
import type { Json } from "../../kit/json.ts";
import { valueAt } from "../../kit/json-pointer.ts";
import { withOpened } from "../files/read-plain.ts";

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
  const read = withOpened(file, 0, (handle, size) => (size <= 8 << 20 ? handle.readFile("utf8") : undefined));
  return read.catch(() => undefined);
}
