import { existsSync } from "node:fs";
import { join } from "node:path";
import { botDefinitions } from "./definitions/bot-definitions.ts";
import { botCatalog } from "./definitions/bots/catalog.ts";
import { type LiveBot, liveBots } from "./definitions/bots/live-bots.ts";
import { chooseServed } from "./definitions/bots/served.ts";
import { readSettings } from "./definitions/settings.ts";
import { createEngine, type Engine } from "./engine/engine.ts";
import type { CheckRules } from "./engine/ports.ts";
import type { Workplace } from "./engine/workplace.ts";
import { botsAtWork } from "./stores/file/bots-at-work.ts";
import { fileContentKeeper } from "./stores/file/content-keeper.ts";
import { fileHistory } from "./stores/file/file-history.ts";
import type { Problem } from "./workflow/workflow.ts";

export type Places = {
  readonly root: string;
  /** Where state, log and content go; the root, where it is not named. */
  readonly projectArea?: string;
  /** Where the definitions are; the root's `.waymark/`, where it is not named. */
  readonly definitions?: string;
};

export type OpenedWorkplace = Workplace & { readonly definitions: string };

/** Chooses and wires the parts of one workplace: the only place that knows all of them. Touches nothing until it is asked. */
export function openWorkplace(places: Places): OpenedWorkplace {
  const definitions = definitionsFolder(places);
  const live = liveBots(definitions);
  const engines = new Map<string, Engine>();
  const clock = (): Date => new Date();
  const place = { root: places.root, projectArea: places.projectArea ?? places.root, atWork: botsAtWork };
  const choose = (): ReturnType<typeof chooseServed> =>
    chooseServed(
      live().bots.map(({ tree }) => tree),
      place,
    );
  const catalogOf = rememberLast(botCatalog);
  return {
    definitions,
    bots: () => {
      const { served, warnings, problems } = choose();
      const chosen = new Set(served.map(({ bot }) => bot));
      const { bots, problems: found } = live();
      const catalog = catalogOf(bots.filter(({ tree }) => chosen.has(tree)));
      return { bots: catalog, warnings, problems: [...found, ...problems] };
    },
    engine: (name) => {
      const known = engines.get(name);
      if (known !== undefined) return known;
      const found = choose().served.find(({ bot }) => bot.name === name);
      if (found === undefined) throw new Error(`There is no bot ${name}.`);
      const { projectArea } = found;
      const engine = createEngine({
        definitions: botDefinitions({ bot: name, definitions, projectArea, bots: live }),
        history: fileHistory({ projectArea, bot: name, clock }),
        content: fileContentKeeper(projectArea),
        checkRules: checkRulesWhenNeeded,
        clock,
      });
      engines.set(name, engine);
      return engine;
    },
  };
}

/** Every bot of a definitions folder, served or not; `closed` where the settings leave none of them usable. */
export function definedBots(definitions: string): { readonly bots: readonly LiveBot[]; readonly closed?: Problem } {
  const { problem } = readSettings(definitions);
  return { bots: liveBots(definitions)().bots, ...(problem === undefined ? {} : { closed: problem }) };
}

/** Does the same work once as long as it is given the same things. */
function rememberLast<T, R>(work: (things: readonly T[]) => R): (things: readonly T[]) => R {
  let last: { readonly things: readonly T[]; readonly result: R } | undefined;
  return (things) => {
    const isSame =
      last?.things.length === things.length && things.every((thing, index) => thing === last?.things[index]);
    if (last === undefined || !isSame) last = { things, result: work(things) };
    return last.result;
  };
}

/** The rule checker is loaded at its first use: a server that is only asked for its tools does not pay for it. */
const checkRulesWhenNeeded: CheckRules = async (rules, files) => {
  const { checkRules } = await import("./checks/rules/check-rules.ts");
  return checkRules(rules, files);
};

function definitionsFolder({ root, definitions }: Places): string {
  if (definitions === undefined) return join(root, ".waymark");
  const nested = join(definitions, ".waymark");
  return existsSync(join(definitions, "bots")) || !existsSync(nested) ? definitions : nested;
}
