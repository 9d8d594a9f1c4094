import { join } from "node:path";
import type { ServedBot } from "../../engine/ports.ts";
import { listFolder } from "../folder.ts";
import { readJson } from "../json-file.ts";
import { readBehaviorConfig } from "./behavior-config.ts";
import type { LiveBot } from "./live-bots.ts";
import { toolNames } from "./tool-names.ts";
import type { BehaviorFolder, BotTree } from "./tree.ts";
import { plainWords, type TriggerWords, triggerWordsIn } from "./trigger-words.ts";

/** What the doors show of the served bots: tools named once, descriptions that hosts find by their trigger words. */
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

/** Descriptions are read by the model in every conversation: what is longer than this is left out. */
const mostInBot = 200;
const mostInBehavior = 140;

/** A tool's description, and what found no room in it. */
export type ToolDescription = {
  readonly text: string;
  readonly isCut: boolean;
  /** The words that are not in it. */
  readonly leftOut: readonly string[];
};

/** What a bot says of itself, with the words that should bring an assistant to it. */
export function describeBot(tree: BotTree): ToolDescription {
  return sentence(tree.description ?? tree.goal ?? "", tree.triggerWords, mostInBot);
}

/** What a behavior says of itself, with the words that should bring an assistant to it. */
export function describeBehavior(definitions: string, { folder }: BehaviorFolder): ToolDescription {
  if (folder === undefined) return { text: "", isCut: false, leftOut: [] };
  const { config } = readBehaviorConfig(definitions, folder, listFolder(folder));
  const found = [triggerWordsIn(config.trigger_words), triggerWordsBeside(folder)];
  const words = found.find((triggers) => triggers.words.length > 0)?.words ?? [];
  const said = [config.description, ...found.map(({ description }) => description), config.goal];
  const description = said.find((text) => typeof text === "string" && text.trim() !== "");
  return sentence(typeof description === "string" ? description : "", words, mostInBehavior);
}

/** The trigger words that stand in a file of their own. */
export function triggerWordsBeside(folder: string): TriggerWords {
  if (!listFolder(folder).files.includes("trigger_words.json")) return triggerWordsIn(undefined); // looked at anyway
  const read = readJson(join(folder, "trigger_words.json"));
  return triggerWordsIn("value" in read ? read.value : undefined);
}

/** At least this much is left for words where there are any. */
const roomForWords = 50;

function sentence(description: string, triggers: readonly string[], most: number): ToolDescription {
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
