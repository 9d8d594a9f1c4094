import { dirname, join, relative, resolve, sep } from "node:path";
import { liesIn } from "../../paths/lies-in.ts";
import { realPathToComeSync } from "../../paths/real-path.ts";
import { type Flaw, flawIn } from "../problem.ts";
import { realPathOf } from "../stand.ts";
import { byName } from "./names.ts";
import { definitionsOf } from "./place.ts";
import type { BotTree } from "./tree.ts";

/** Where bots may work, and who is at work there already. */
export type ServedPlace = {
  readonly root: string;
  /** Of every bot that names none of its own. */
  readonly projectArea: string;
  /** The names of the bots with a history in a project area, the latest first, by area; nobody's where it is left out. */
  readonly atWork?: ReadonlyMap<string, readonly string[]> | undefined;
};

export type Served = { readonly bot: BotTree; readonly projectArea: string };

/** Which bots are served, and why the others are not. */
export type Choice = {
  readonly served: readonly Served[];
  readonly warnings: readonly string[];
  readonly problems: readonly Flaw[];
  /** The project areas that several bots want: there it counts who is at work. */
  readonly shared: readonly string[];
};

/** Chooses one bot for each project area: the one already at work there, else the first usable one by name; says of the others why not. */
export function chooseServed(bots: readonly BotTree[], { root, projectArea, atWork }: ServedPlace): Choice {
  const problems: Flaw[] = [];
  const areas = new Map<string, Served[]>();
  for (const bot of [...bots].sort((a, b) => byName(a.name, b.name))) {
    const area = resolve(root, bot.projectArea ?? projectArea);
    if (bot.projectArea !== undefined && !liesIn(realPath(resolve(root)), realPath(area))) {
      problems.push(misplaced(bot, "lies outside the root"));
      continue;
    }
    if (
      bot.projectArea !== undefined &&
      relative(resolve(root), area)
        .split(sep)
        .some((part) => part.startsWith("."))
    ) {
      problems.push(misplaced(bot, "leads into a folder whose name begins with a dot"));
      continue;
    }
    const place = realPath(area);
    areas.set(place, [...(areas.get(place) ?? []), { bot, projectArea: area }]);
  }
  const served: Served[] = [];
  const shared: string[] = [];
  const warnings: string[] = [];
  for (const candidates of areas.values()) {
    const [first, second] = candidates;
    if (first !== undefined && second !== undefined) shared.push(first.projectArea);
    const working = second === undefined ? [] : (atWork?.get(first?.projectArea ?? "") ?? []);
    const chosen =
      working.flatMap((name) => candidates.find(({ bot }) => bot.name === name) ?? [])[0] ??
      candidates.find(({ bot }) => bot.broken === undefined) ??
      first;
    if (chosen === undefined) continue;
    served.push(chosen);
    const why = working.includes(chosen.bot.name) ? "is already at work" : "comes first";
    for (const { bot } of candidates) {
      if (bot === chosen.bot) continue;
      warnings.push(
        `${bot.name} is not served: ${chosen.bot.name} ${why} in the same project area. Give ${bot.name} a project_area of its own in ${bot.configFile}.`,
      );
    }
  }
  return { served: served.sort((a, b) => byName(a.bot.name, b.bot.name)), warnings, problems, shared };
}

function misplaced(bot: BotTree, what: string): Flaw {
  const definitions = definitionsOf(bot);
  return flawIn(definitions, join(dirname(definitions), bot.configFile), {
    code: "project-area-outside-root",
    at: ["project_area"],
    message: `${bot.name} is not served: its project_area ${bot.projectArea} ${what}`,
    fix: "Name a folder inside the root.",
  });
}

/** Where a path leads once its links are followed, also where its last folders do not exist yet. */
function realPath(path: string): string {
  return realPathToComeSync(path, realPathOf);
}
