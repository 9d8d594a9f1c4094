import type { LiveBot } from "../definitions/bots/live-bot.ts";
import { calledPlaces } from "../definitions/phases/called-workflows.ts";

/** The files and folders of the workflows that a bot's actions call, directly or through others. */
export function workflowsCalledBy({ tree, workflows }: LiveBot): readonly string[] {
  const names = workflows.flatMap(({ steps }) => steps.flatMap(({ routing }) => routing?.calls?.workflow ?? []));
  return calledPlaces(tree.definitions, names);
}
