import type { JsonObject } from "../../evidence/json.ts";
import { ignoredValue, type Remark, wrongValue } from "../problem.ts";
import { pathSafe } from "./names.ts";
import { triggerWordsIn } from "./trigger-words.ts";

/** What a bot_config.json says of the bot itself. */
export type BotConfig = {
  readonly name?: string;
  readonly description?: string;
  readonly goal?: string;
  readonly triggerWords: readonly string[];
  readonly projectArea?: string;
};

/** Understands a bot's config; a wrong value is left out and named, one that decides where the bot works breaks it. */
export function parseBotConfig(config: JsonObject): {
  readonly config: BotConfig;
  readonly broken?: Remark;
  readonly problems: readonly Remark[];
} {
  const problems: Remark[] = [];
  const text = (key: string): string | undefined => {
    const value = config[key];
    if (typeof value === "string" && value.trim() !== "") return value.trim();
    if (value !== undefined && value !== null) problems.push(ignoredValue(key, "a text"));
    return undefined;
  };
  const name = text("name");
  const description = text("description");
  const goal = text("goal");
  const { words, isWhole } = triggerWordsIn(config.trigger_words);
  if (!isWhole) problems.push(ignoredValue("trigger_words", "a list of texts"));
  const { project_area: area } = config;
  const parsed = {
    ...(name === undefined ? {} : { name: pathSafe(name) }),
    ...(description === undefined ? {} : { description }),
    ...(goal === undefined ? {} : { goal }),
    triggerWords: words,
    ...(typeof area === "string" ? { projectArea: area } : {}),
  };
  if (area === undefined || typeof area === "string") return { config: parsed, problems };
  return { config: parsed, problems, broken: wrongValue("project_area", "a path, relative to the root") };
}
