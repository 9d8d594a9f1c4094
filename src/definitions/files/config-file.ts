import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { isObject, type JsonObject } from "../../kit/json.ts";
import { type LoaderProblem, locateProblem, unreadableProblem } from "../loader-problem.ts";
import { readJson } from "./json-file.ts";

/** A config as read, or why it cannot be used. */
export type ConfigRead =
  | { readonly config: JsonObject }
  | { readonly missing: true }
  | { readonly broken: LoaderProblem };

/** Reads a JSON file that must be an object; `what` names it in the problem. */
export function readConfig(definitions: DefinitionSnapshot, path: string, what: string): ConfigRead {
  const read = readJson(definitions, path);
  if ("missing" in read) return read;
  if ("malformed" in read)
    return { broken: unreadableProblem(definitions, path, read.error, `${what} is malformed: ${read.malformed}`) };
  if (isObject(read.value)) return { config: read.value };
  const message = `${what} is malformed: it must be a JSON object`;
  const fix = "Write a JSON object: { … }.";
  return { broken: locateProblem(definitions, path, { code: "wrong-type", message, fix }) };
}
