import { join } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import type { ServedBot } from "../../engine/ports/definitions.ts";
import { readJson } from "../files/json-file.ts";
import { listFolder } from "../snapshot/list-folder.ts";
import { readBehaviorConfig } from "./behavior-config.ts";
import type { LiveBot } from "./live-bot.ts";
import { toolNames } from "./tool-names.ts";
import type { BehaviorFolder, BotTree } from "./tree.ts";
import { plainWords, type TriggerWords, triggerWordsIn } from "./trigger-words.ts";

/** The served bots as transports show them: unique tool names, and descriptions with trigger words. */
export function botCatalog(bots: readonly LiveBot[]): ServedBot[] {
  const names = toolNames(bots.map(({ tree }) => tree));
  return bots.map(({ tree, descriptions }, index) => {
    const tools = names[index];
    return {
      name: tree.name,
      tool: tools?.tool ?? tree.name,
      description: describeBot(tree).text,
      behaviors: tree.behaviors.map((behavior, position) => ({
        name: behavior.name,
        tool: tools?.behaviors[position]?.tool ?? `${behavior.name}_bot`,
        description: descriptions[position] ?? "",
      })),
    };
  });
}

/** A model reads descriptions in every conversation, so longer ones are cut. */
const maxBotDescription = 200;
const maxBehaviorDescription = 140;

/** A tool's description, and the trigger words that did not fit. */
export type ToolDescription = {
  readonly text: string;
  readonly isCut: boolean;
  /** The trigger words that did not fit. */
  readonly leftOut: readonly string[];
};

/** Describes a bot with its trigger words. */
export function describeBot(tree: BotTree): ToolDescription {
  return describe(tree.description ?? tree.goal ?? "", tree.triggerWords, maxBotDescription);
}

/** Describes a behavior with its trigger words. */
export function describeBehavior(definitions: DefinitionSnapshot, { folder }: BehaviorFolder): ToolDescription {
  if (folder === undefined) return { text: "", isCut: false, leftOut: [] };
  const { config } = readBehaviorConfig(definitions, folder, listFolder(definitions, folder));
  const found = [triggerWordsIn(config.trigger_words), triggerWordsFile(definitions, folder)];
  const words = found.find((triggers) => triggers.words.length > 0)?.words ?? [];
  const said = [config.description, ...found.map(({ description }) => description), config.goal];
  const description = said.find((text) => typeof text === "string" && text.trim() !== "");
  return describe(typeof description === "string" ? description : "", words, maxBehaviorDescription);
}

/** The trigger words in a separate file. */
export function triggerWordsFile(definitions: DefinitionSnapshot, folder: string): TriggerWords {
  if (!listFolder(definitions, folder).files.includes("trigger_words.json")) return triggerWordsIn(undefined); // the folder is listed anyway
  const read = readJson(definitions, join(folder, "trigger_words.json"));
  return triggerWordsIn("value" in read ? read.value : undefined);
}

/** The room kept for trigger words, if there are any. */
const roomForWords = 50;

function describe(description: string, triggers: readonly string[], most: number): ToolDescription {
  const words = triggers.flatMap(plainWords);
  const plain = description.replaceAll(/\s+/g, " ").trim();
  const allWords = words.length === 0 ? "" : ` Use for: ${words.join(", ")}.`;
  const room = most - Math.min(roomForWords, allWords.length);
  const isCut = plain.length > room;
  const said = isCut ? `${plain.slice(0, room - 1).trimEnd()}…` : plain;
  const kept: string[] = [];
  for (const word of words) {
    const text = `${said} Use for: ${[...kept, word].join(", ")}.`.trim();
    if (!kept.includes(word) && text.length <= most) kept.push(word);
  }
  const use = kept.length === 0 ? "" : `Use for: ${kept.join(", ")}.`;
  return { text: `${said} ${use}`.trim(), isCut, leftOut: words.filter((word) => !kept.includes(word)) };
}
