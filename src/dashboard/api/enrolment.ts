import type { Principal } from "../../http/principal.ts";
import { systemClock } from "../../kit/system-clock.ts";
import { approverName } from "../../people/approver.ts";
import { enrolPage } from "./pages/enrol-page.ts";
import type { PageHandler } from "./pages/pages.ts";
import type { BoardProject } from "./ports.ts";

/** The number of people who can enroll at a time; older ones must start again. */
const maxEnrolments = 50;

/** Lets each approver of a team create a passkey for themselves; enrolling is not trust. */
export type Enrolments = {
  /** Returns the enrolment page for an approver, or undefined for others. */
  begin(place: BoardProject, project: string, who: Principal): Promise<PageHandler | undefined>;
  /** Returns the page that was opened last. */
  current(project: string, who: Principal): PageHandler | undefined;
};

/** Creates empty enrolments. */
export function enrolments(): Enrolments {
  const matters = new Map<string, PageHandler>();
  const keyOf = (project: string, { id }: Principal): string => JSON.stringify([project, id]);
  return {
    async begin(place, project, who) {
      const name = who.role === "approver" ? approverName(who.name ?? "") : undefined;
      if (name === undefined) return undefined;
      const known = (await place.candidates()).flatMap(({ approver }) =>
        approver.kind === "passkey" && approver.name === name ? [approver.credential] : [],
      );
      const matter = enrolPage({ name, project, known, clock: systemClock, keep: place.enrol });
      matters.delete(keyOf(project, who));
      matters.set(keyOf(project, who), matter);
      for (const old of [...matters.keys()].slice(0, -maxEnrolments)) matters.delete(old);
      return matter;
    },
    current: (project, who) => matters.get(keyOf(project, who)),
  };
}
