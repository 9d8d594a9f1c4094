import type { ListedApprover, listApprovers, PeoplePlaces } from "../../app/list-approvers.ts";
import { UserError } from "../terminal/user-error.ts";
import { type PlaceOptions, placesFor, workplaceFor } from "../terminal/workplace-options.ts";

/** Returns the folders that hold the approvers of these definitions. */
export function approverPlaces(options: PlaceOptions, definitions = definitionsOf(options)): PeoplePlaces {
  const { root, projectArea = root } = placesFor(options);
  return { definitions, areas: [root, projectArea] };
}

function definitionsOf(options: PlaceOptions): string {
  const workplace = workplaceFor(options);
  workplace.close();
  return workplace.definitions;
}

/** Returns the listed approvers, or throws if their file is not usable. */
export function approversOrThrow(listed: Awaited<ReturnType<typeof listApprovers>>): readonly ListedApprover[] {
  if ("problem" in listed) throw new UserError(`${listed.problem}. Fix it or remove it from the definitions.`);
  return listed;
}
