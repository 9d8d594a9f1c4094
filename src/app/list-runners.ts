import type { Sighting } from "../engine/ports/runners.ts";
import type { RunnerLevel } from "../gates/result-statement.ts";
import { defined } from "../kit/defined.ts";
import { readIdentity } from "../people/identity-file.ts";
import {
  type EnrolledRunner,
  readRunners,
  type TrustedRunner,
  trustedRunners,
  trustOf,
} from "../people/runners-file.ts";
import { listApprovers, type PeoplePlaces } from "./list-approvers.ts";

/** A runner that the definitions name, with its level or why it does not count. */
export type ListedRunner = {
  readonly runner: EnrolledRunner;
  readonly level?: RunnerLevel;
  readonly by?: string;
  readonly problem?: string;
};

/** Lists the runners of the definitions: one counts if an approver trusted on this machine has signed for it. */
export async function listRunners(
  places: PeoplePlaces,
): Promise<readonly ListedRunner[] | { readonly problem: string }> {
  const [runners, approvers] = await Promise.all([readRunners(places.definitions), trustedApprovers(places)]);
  if ("problem" in runners) return runners;
  const project = await projectOf(places.definitions);
  return runners.map((runner) => ({ runner, ...trustOf(runner, approvers, project) }));
}

/** A runner as people see it: its level or why it does not count, and when its server last saw it. */
export type SeenRunner = Pick<ListedRunner, "level" | "problem"> & { readonly name: string; readonly seen?: string };

/** Lists the runners with the last time each was seen. */
export async function seenRunners(
  places: PeoplePlaces,
  seen: () => Promise<readonly Sighting[]>,
): Promise<readonly SeenRunner[]> {
  const listed = await listRunners(places);
  if ("problem" in listed || listed.length === 0) return [];
  const last = new Map((await seen().catch(() => [])).map(({ at, about }) => [about.key, at]));
  return listed.map(({ runner: { name, key }, level, problem }) => ({
    name,
    ...defined({ level, problem, seen: last.get(key) }),
  }));
}

/** The runners that count on this machine. */
export async function countedRunners(places: PeoplePlaces): Promise<readonly TrustedRunner[]> {
  const runners = await readRunners(places.definitions);
  if ("problem" in runners || runners.length === 0) return [];
  return trustedRunners(runners, await trustedApprovers(places), await projectOf(places.definitions));
}

async function trustedApprovers(places: PeoplePlaces) {
  const listed = await listApprovers(places);
  return "problem" in listed ? [] : listed.filter(({ trusted }) => trusted).map(({ approver }) => approver);
}

/** The project's identity, which a signature for a runner names; empty if it has none. */
export async function projectOf(definitions: string): Promise<string> {
  const found = await readIdentity(definitions);
  return found !== undefined && "project" in found ? found.project : "";
}
