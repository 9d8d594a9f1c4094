import { join } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { defined } from "../../kit/defined.ts";
import { isObject, type Json } from "../../kit/json.ts";
import { readJson } from "../files/json-file.ts";

/** The team's settings for search. */
export type SearchSettings = {
  /** The token budget of an answer. */
  readonly budget?: number;
  readonly embeddings?: { readonly url: string; readonly model: string; readonly apiKeyEnv?: string };
  /** Problems with the settings; search then ignores them. */
  readonly warnings: readonly string[];
};

/** Reads the current `search` settings of `config.json`. */
export function readSearchSettings(definitions: DefinitionSnapshot): SearchSettings {
  const read = readJson(definitions, join(definitions.folder, "config.json"));
  const search = "value" in read && isObject(read.value) ? (read.value.search ?? {}) : {};
  if (!isObject(search)) return wrong("search must be an object");
  const { budget, embeddings } = search;
  if (budget !== undefined && !(typeof budget === "number" && Number.isInteger(budget) && budget > 0))
    return wrong("search.budget must be a whole number of tokens");
  const source = embeddings === undefined ? {} : readSource(embeddings);
  if (source === undefined)
    return wrong("search.embeddings must be {url, model, api_key_env?} with an http or https url");
  return { ...defined({ budget }), ...source, warnings: [] };
}

function readSource(value: Json): Pick<SearchSettings, "embeddings"> | undefined {
  if (!isObject(value)) return undefined;
  const { url, model, api_key_env: apiKeyEnv } = value;
  if (typeof url !== "string" || !/^https?:\/\//.test(url) || typeof model !== "string" || model === "")
    return undefined;
  if (apiKeyEnv !== undefined && typeof apiKeyEnv !== "string") return undefined;
  return { embeddings: { url, model, ...defined({ apiKeyEnv }) } };
}

function wrong(message: string): SearchSettings {
  return { warnings: [`config.json: ${message}. Search ignores it.`] };
}
