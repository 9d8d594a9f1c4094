import { canonical, type JsonObject } from "./json.ts";
import { sha256 } from "./sha256.ts";

/** What makes two starts one: the same workflow, target and options, in the same run. */
export type SessionKey = {
  readonly type: string;
  readonly target: string | null;
  readonly options: JsonObject;
  readonly run?: string;
};

/** A session as it is on record. */
type Recorded = Omit<SessionKey, "type"> & { readonly workflow: string };

/** The ids of one key in the order they were begun, and the one that the next would have. */
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

/** What every id of a key begins with. */
export function idsBegin(key: SessionKey): string {
  return prefixOf(key, keyLengthOfBefore).slice(0, -1);
}

/** Tells whether an id can be that of a session that is on record so: it says what the session is about. */
export function isIdOf(id: string, recorded: Recorded): boolean {
  const key = keyOf(recorded);
  return [keyLengthOfBefore, keyLength].some((length) => id.startsWith(prefixOf(key, length)));
}

/** Tells whether a session on record is one of a key. A short id of before may be that of another target as well. */
export function isSessionOf(key: SessionKey, recorded: Recorded): boolean {
  return digestOf(key) === digestOf(keyOf(recorded));
}

/** So many digits of its digest name a key; those of before had so few that two keys could meet. */
const keyLength = 24;
const keyLengthOfBefore = 10;

function keyOf({ workflow: type, target, options, run }: Recorded): SessionKey {
  return { type, target, options, ...(run === undefined ? {} : { run }) };
}

/** The part of a session's id that its key decides; a number after it tells one pass from the next. */
function prefixOf(key: SessionKey, length: number): string {
  const slug = key.type.replace(/[^\w-]/g, "_").slice(0, 40);
  return `${slug}-${digestOf(key).slice(0, length)}-`;
}

function digestOf({ type, target, options, run }: SessionKey): string {
  const key = [type, target, JSON.parse(canonical(options)), ...(run === undefined ? [] : [run])];
  return sha256(JSON.stringify(key));
}

function numbersOf(prefix: string, ids: readonly string[]): readonly number[] {
  return ids
    .flatMap((id) => (id.startsWith(prefix) ? [Number(id.slice(prefix.length))] : []))
    .filter((number) => Number.isSafeInteger(number) && number > 0)
    .sort((a, b) => a - b);
}
