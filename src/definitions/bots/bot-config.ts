import { defined } from "../../kit/defined.ts";
import type { JsonObject } from "../../kit/json.ts";
import { ignoredValueProblem, type JsonProblem, wrongValueProblem } from "../loader-problem.ts";
import { pathSafeName } from "./definition-names.ts";
import { triggerWordsIn } from "./trigger-words.ts";

/** A bot's own entries in bot_config.json. */
export type BotConfig = {
  readonly name?: string;
  readonly description?: string;
  readonly goal?: string;
  readonly triggerWords: readonly string[];
  readonly projectArea?: string;
};

/** Parses a bot's config; a wrong value is ignored and reported, a wrong project area breaks the bot. */
export function parseBotConfig(config: JsonObject): {
  readonly config: BotConfig;
  readonly broken?: JsonProblem;
  readonly problems: readonly JsonProblem[];
} {
  const problems: JsonProblem[] = [];
  const text = (key: string): string | undefined => {
    const value = config[key];
    if (typeof value === "string" && value.trim() !== "") return value.trim();
    if (value !== undefined && value !== null) problems.push(ignoredValueProblem(key, "a string"));
    return undefined;
  };
  const name = text("name");
  const description = text("description");
  const goal = text("goal");
  const { words, isWhole } = triggerWordsIn(config.trigger_words);
  if (!isWhole) problems.push(ignoredValueProblem("trigger_words", "a list of strings"));
  const { project_area: area } = config;
  const parsed = {
    ...(name === undefined ? {} : { name: pathSafeName(name) }),
    ...defined({ description, goal }),
    triggerWords: words,
    ...(typeof area === "string" ? { projectArea: area } : {}),
  };
  if (area === undefined || typeof area === "string") return { config: parsed, problems };
  return { config: parsed, problems, broken: wrongValueProblem("project_area", "a path relative to the root") };
}
