import { join } from "node:path";
import type { ServedBot } from "../../engine/ports.ts";
import { isObject, type Json } from "../../workflow/json.ts";
import { listFolder } from "../folder.ts";
import { readJson } from "../json-file.ts";
import type { LiveBot } from "./live-bots.ts";
import { toolNames } from "./tool-names.ts";
import type { BehaviorFolder } from "./tree.ts";

/** What the doors show of the served bots: tools named once, descriptions that hosts find by their trigger words. */
export function botCatalog(bots: readonly LiveBot[]): ServedBot[] {
  const names = toolNames(bots.map(({ tree }) => tree));
  return bots.map(({ tree, descriptions }, index) => {
    const tools = names[index];
    return {
      name: tree.name,
      tool: tools?.tool ?? tree.name,
      description: sentence(tree.description ?? tree.goal ?? "", tree.triggerWords, 200),
      behaviors: tree.behaviors.map((behavior, position) => ({
        name: behavior.name,
        tool: tools?.behaviors[position]?.tool ?? `${behavior.name}_bot`,
        description: descriptions[position] ?? "",
      })),
    };
  });
}

/** Descriptions are read by the model in every conversation: what is longer than this is cut. */
const mostInBehavior = 140;

/** What a behavior says of itself, with the words that should bring an assistant to it. */
export function describeBehavior({ folder }: BehaviorFolder): string {
  if (folder === undefined) return "";
  const config = ["behavior.json", "behavior_config.json"].map((file) => jsonIn(folder, file)).find(isObject);
  const triggers = jsonIn(folder, "trigger_words.json");
  const words = [config?.trigger_words, triggers, isObject(triggers) ? Object.values(triggers)[0] : undefined].find(
    Array.isArray,
  );
  const description = typeof config?.description === "string" ? config.description : "";
  return sentence(
    description,
    (words ?? []).filter((word) => typeof word === "string"),
    mostInBehavior,
  );
}

function jsonIn(folder: string, file: string): Json | undefined {
  if (!listFolder(folder).files.includes(file)) return undefined; // the folder is looked at anyway
  const read = readJson(join(folder, file));
  return "value" in read ? read.value : undefined;
}

function sentence(description: string, words: readonly string[], most: number): string {
  const said = words.length === 0 ? "" : `Use for: ${words.join(", ")}.`;
  const text = `${description.trim()} ${said}`.trim().replace(/\s+/g, " ");
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
