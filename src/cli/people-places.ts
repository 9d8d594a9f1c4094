import type { ApproverListed, listApprovers, PeoplePlaces } from "../compose-people.ts";
import { UserFault } from "./fault.ts";
import { type PlaceOptions, placesFor, workplaceFor } from "./workplace.ts";

/** Where the people of these definitions are looked for. */
export function peoplePlaces(options: PlaceOptions, definitions = definitionsOf(options)): PeoplePlaces {
  const { root, projectArea = root } = placesFor(options);
  return { definitions, areas: [root, projectArea] };
}

function definitionsOf(options: PlaceOptions): string {
  const workplace = workplaceFor(options);
  workplace.close();
  return workplace.definitions;
}

/** Everybody whom the definitions name; a file that cannot be used is a fault of its author's. */
export function listedOrFault(listed: Awaited<ReturnType<typeof listApprovers>>): readonly ApproverListed[] {
  if ("problem" in listed) throw new UserFault(`${listed.problem}. Mend it, or take it out of the definitions.`);
  return listed;
}
