import { approverName } from "../../people/approver.ts";
import { enrolling } from "../pages/enrolling.ts";
import type { Matter } from "../pages/pages.ts";
import type { Principal } from "../principal.ts";
import type { BoardProject } from "./ports.ts";

/** So many people make a passkey at a time; an older one begins again. */
const mostAtOnce = 50;

/** Making passkeys on a team's own page: each approver for themselves, by the name of their token. Enrolling is not trust. */
export type Enrolments = {
  /** What the page shows to whoever may make one; undefined for everybody else. */
  begin(place: BoardProject, project: string, who: Principal): Promise<Matter | undefined>;
  /** The same, as it was begun last. */
  begun(project: string, who: Principal): Matter | undefined;
};

/** Begins with nobody making one. */
export function enrolments(): Enrolments {
  const matters = new Map<string, Matter>();
  const keyOf = (project: string, { id }: Principal): string => JSON.stringify([project, id]);
  return {
    async begin(place, project, who) {
      const name = who.role === "approver" ? approverName(who.name ?? "") : undefined;
      if (name === undefined) return undefined;
      const known = (await place.candidates()).flatMap(({ approver }) =>
        approver.kind === "passkey" && approver.name === name ? [approver.credential] : [],
      );
      const matter = enrolling({ name, project, known, clock: () => new Date(), keep: place.enrol });
      matters.delete(keyOf(project, who));
      matters.set(keyOf(project, who), matter);
      for (const old of [...matters.keys()].slice(0, -mostAtOnce)) matters.delete(old);
      return matter;
    },
    begun: (project, who) => matters.get(keyOf(project, who)),
  };
}
