import { sha256 } from "../../kit/sha256.ts";
import { fixedTools } from "../../workflow/fixed-tools.ts";
import type { BotTree } from "./tree.ts";

/** The tools of one bot. */
export type BotTools = {
  readonly bot: string;
  readonly tool: string;
  readonly behaviors: readonly { readonly behavior: string; readonly tool: string }[];
};

/** Names every tool of the served bots; names are unique and the same on every start. */
export function toolNames(trees: readonly Pick<BotTree, "name" | "behaviors">[]): readonly BotTools[] {
  const taken = new Set<string>(fixedTools);
  const botTools = assignNames(
    trees.map(({ name }) => ({ key: name, wanted: [name, `${name}_bot`] })),
    taken,
  );
  const behaviorTools = assignNames(
    trees.flatMap(({ name: bot, behaviors }) =>
      behaviors.map(({ name }) => ({ key: keyOf(bot, name), wanted: [`${name}_bot`, `${bot}_${name}`] })),
    ),
    taken,
  );
  return trees.map(({ name: bot, behaviors }) => ({
    bot,
    tool: botTools(bot),
    behaviors: behaviors.map(({ name }) => ({ behavior: name, tool: behaviorTools(keyOf(bot, name)) })),
  }));
}

type ToolNameRequest = { readonly key: string; readonly wanted: readonly string[] };

/** Gives each wish the first name that no other takes or wants, otherwise one with a hash. */
function assignNames(wishes: readonly ToolNameRequest[], taken: Set<string>): (key: string) => string {
  const granted = new Map<string, string>();
  let open = wishes;
  for (let turn = 0; open.length > 0; turn++) {
    const asked = open.map(({ key, wanted }) => {
      const name = wanted[turn];
      return { key, name: name === undefined ? hashedName(`${wanted[0]}`, `${key} ${turn}`) : toolName(name) };
    });
    for (const { key, name } of asked) {
      const isContested = asked.some((rival) => rival.key !== key && rival.name === name);
      if (isContested || taken.has(name)) continue;
      granted.set(key, name);
    }
    for (const name of granted.values()) taken.add(name);
    open = open.filter(({ key }) => !granted.has(key));
  }
  return (key) => granted.get(key) ?? key;
}

const longest = 48;

function toolName(name: string): string {
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, "_");
  return plain.length <= longest ? plain : hashedName(plain, name);
}

function hashedName(name: string, identity: string): string {
  const mark = sha256(identity).slice(0, 6);
  return `${name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, longest - mark.length - 1)}_${mark}`;
}

function keyOf(bot: string, behavior: string): string {
  return JSON.stringify([bot, behavior]);
}
