import { defined } from "../kit/defined.ts";
import { canonical, type JsonObject } from "../kit/json.ts";
import { sha256 } from "../kit/sha256.ts";
import type { ItemFacts } from "./events.ts";
import { isItemIdOf } from "./item-id.ts";

/** The key that makes two starts one session: same workflow, target, options, inputs and run. */
export type SessionKey = {
  readonly type: string;
  readonly target: string | null;
  readonly options: JsonObject;
  readonly inputs?: JsonObject;
  readonly run?: string;
};

/** A recorded session. */
type Recorded = Omit<SessionKey, "type"> & { readonly workflow: string; readonly item?: ItemFacts };

/** The ids of one key in order, and the next id. */
export function sessionsOf(
  key: SessionKey,
  ids: readonly string[],
): { readonly known: string[]; readonly next: string } {
  const [short, long] = [prefixOf(key, keyLengthOfBefore), prefixOf(key, keyLength)];
  const numbers = numbersOf(long, ids);
  return {
    known: [
      ...numbersOf(short, ids).map((number) => `${short}${number}`),
      ...numbers.map((number) => `${long}${number}`),
    ],
    next: `${long}${(numbers.at(-1) ?? 0) + 1}`,
  };
}

/** The prefix of every id of a key. */
export function idsBegin(key: SessionKey): string {
  return prefixOf(key, keyLengthOfBefore).slice(0, -1);
}

/** Tells if an id matches what a recorded session is about. */
export function isIdOf(id: string, recorded: Recorded): boolean {
  if (recorded.item !== undefined) return isItemIdOf(id, recorded.item);
  const key = keyOf(recorded);
  return [keyLengthOfBefore, keyLength].some((length) => id.startsWith(prefixOf(key, length)));
}

/** Tells if a recorded session has this key; an older, shorter id may match several targets. */
export function isSessionOf(key: SessionKey, recorded: Recorded): boolean {
  return digestOf(key) === digestOf(keyOf(recorded));
}

/** The digits of a digest that name a key; older ids had so few that keys could collide. */
const keyLength = 24;
const keyLengthOfBefore = 10;

function keyOf({ workflow: type, target, options, inputs, run }: Recorded): SessionKey {
  return { type, target, options, ...defined({ inputs, run }) };
}

/** The part of a session id that its key decides; a pass number follows. */
function prefixOf(key: SessionKey, length: number): string {
  const slug = key.type.replace(/[^\w-]/g, "_").slice(0, 40);
  return `${slug}-${digestOf(key).slice(0, length)}-`;
}

function digestOf({ type, target, options, inputs, run }: SessionKey): string {
  const given = inputs === undefined ? [] : [{ inputs: JSON.parse(canonical(inputs)) }];
  const key = [type, target, JSON.parse(canonical(options)), ...(run === undefined ? [] : [run]), ...given];
  return sha256(JSON.stringify(key));
}

function numbersOf(prefix: string, ids: readonly string[]): readonly number[] {
  return ids
    .flatMap((id) => (id.startsWith(prefix) ? [Number(id.slice(prefix.length))] : []))
    .filter((number) => Number.isSafeInteger(number) && number > 0)
    .sort((a, b) => a - b);
}
