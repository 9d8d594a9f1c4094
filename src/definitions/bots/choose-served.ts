import { dirname, join, relative, resolve, sep } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { isPathInside } from "../../kit/is-path-inside.ts";
import { realPathOfNewSync } from "../../kit/real-path.ts";
import { type LoaderProblem, locateProblem } from "../loader-problem.ts";
import { compareNames } from "./definition-names.ts";
import type { BotTree } from "./tree.ts";

/** The folders where bots may work, and the bots already at work there. */
export type ServingContext = {
  readonly root: string;
  /** The area of every bot that names none itself. */
  readonly projectArea: string;
  /** The bots with a history in each project area, most recent first. */
  readonly atWork?: ReadonlyMap<string, readonly string[]> | undefined;
  /** The real path of a folder that may not exist yet. */
  readonly realPath?: (folder: string) => string;
};

/** A bot that is served; `isGuest`: its two JSON files are kept apart, since another bot has its own in the same area. */
export type ServedTree = { readonly bot: BotTree; readonly projectArea: string; readonly isGuest?: true };

/** The bots that are served, and why the others are not. */
export type ServedChoice = {
  readonly served: readonly ServedTree[];
  readonly problems: readonly LoaderProblem[];
  /** Project areas that several bots claim, decided by which bot is at work there. */
  readonly shared: readonly string[];
};

/** Finds where every bot works. Of several in one area, the one already at work there has its files in it, otherwise the first usable one by name. */
export function chooseServed(
  _definitions: DefinitionSnapshot,
  bots: readonly BotTree[],
  { root, projectArea, atWork, realPath = realPathOfNewSync }: ServingContext,
): ServedChoice {
  const problems: LoaderProblem[] = [];
  const areas = new Map<string, ServedTree[]>();
  for (const bot of [...bots].sort((a, b) => compareNames(a.name, b.name))) {
    const area = resolve(root, bot.projectArea ?? projectArea);
    if (bot.projectArea !== undefined && !isPathInside(realPath(resolve(root)), realPath(area))) {
      problems.push(outsideArea(bot, "is outside the root"));
      continue;
    }
    if (
      bot.projectArea !== undefined &&
      relative(resolve(root), area)
        .split(sep)
        .some((part) => part.startsWith("."))
    ) {
      problems.push(outsideArea(bot, "is in a hidden folder"));
      continue;
    }
    const place = realPath(area);
    areas.set(place, [...(areas.get(place) ?? []), { bot, projectArea: area }]);
  }
  const served: ServedTree[] = [];
  const shared: string[] = [];
  for (const candidates of areas.values()) {
    const [first, second] = candidates;
    if (first !== undefined && second !== undefined) shared.push(first.projectArea);
    const working = second === undefined ? [] : (atWork?.get(first?.projectArea ?? "") ?? []);
    const chosen =
      working.flatMap((name) => candidates.find(({ bot }) => bot.name === name) ?? [])[0] ??
      candidates.find(({ bot }) => bot.broken === undefined) ??
      first;
    served.push(...candidates.map((one) => (one === chosen ? one : { ...one, isGuest: true as const })));
  }
  return { served: served.sort((a, b) => compareNames(a.bot.name, b.bot.name)), problems, shared };
}

function outsideArea(bot: BotTree, what: string): LoaderProblem {
  return locateProblem(bot.definitions, join(dirname(bot.definitions.folder), bot.configFile), {
    code: "project-area-outside-root",
    at: ["project_area"],
    message: `${bot.name} is not served: its project_area ${bot.projectArea} ${what}`,
    fix: "Name a folder inside the root.",
  });
}
