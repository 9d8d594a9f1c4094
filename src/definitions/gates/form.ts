import type { Json, JsonObject } from "../../kit/json.ts";
import type { GateSource } from "./gate-errors.ts";

/** A mapping of a gate file that is read key by key; keys left at the end are unknown. */
export class Form {
  readonly #taken = new Set<string>();

  constructor(
    readonly value: JsonObject,
    readonly at: readonly string[],
    readonly source: GateSource,
    /** The name of the mapping in messages. */
    readonly of = "",
  ) {}

  /** Takes the value of a key; undefined if it is missing or was reported as invalid. */
  take<T extends Json>(key: string, isRight: (value: Json) => value is T, wanted: string): T | undefined {
    this.#taken.add(key);
    const said = this.value[key];
    if (said === undefined || isRight(said)) return said;
    this.complain([key], `${key} must be ${wanted}`);
    return undefined;
  }

  complain(path: readonly string[], message: string): void {
    this.source.complain("value", [...this.at, ...path], message);
  }

  /** Reports the keys that were not taken. */
  finish(): void {
    for (const key of Object.keys(this.value))
      if (!this.#taken.has(key))
        this.source.complain(
          "key",
          [...this.at, key],
          `the key "${key}"${this.of} is unknown; use ${[...this.#taken].join(", ")}`,
        );
  }
}

/** True for a text with something in it, of reasonable length. */
export const isText = (value: Json): value is string =>
  typeof value === "string" && value.trim() !== "" && value.length <= 500;

/** True for a list of such texts. */
export const areTexts = (value: Json): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.length <= 100 && value.every(isText);

export const isCount = (value: Json): value is number => Number.isInteger(value) && Number(value) > 0;

/** True for a path that cannot lead out of its base folder. */
export function isInside(value: Json): value is string {
  return isText(value) && !/^(?:\/|[A-Za-z]:)|\\/.test(value) && !value.split("/").includes("..");
}
