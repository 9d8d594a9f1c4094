import { basename, resolve } from "node:path";
import type { OpenedWorkplace } from "../../app/open-workplace.ts";
import type { Pages } from "../../dashboard/api/pages/pages.ts";
import type { AnswerPage, OpenPage } from "../../engine/answer-page.ts";
import { engineOf } from "../../engine/workplace.ts";
import { systemClock } from "../../kit/system-clock.ts";
import { type PlaceOptions, personAtTerminal } from "../terminal/workplace-options.ts";
import { approverPlaces } from "./approver-places.ts";

/** Opens approval pages for clients that can show one; nothing loads or listens before the first. */
export function answerPages(
  workplace: OpenedWorkplace,
  options: PlaceOptions,
  report: (message: string) => void,
): { readonly openPage: OpenPage; close(): Promise<void> } {
  let pages: Pages | undefined;
  const opened = new Map<string, AnswerPage>();
  return {
    async openPage({ reply: { id, outcome }, key }) {
      if (outcome.kind !== "awaiting") return undefined;
      const known = opened.get(key);
      if (known !== undefined) return known;
      const [{ openPages }, { reviewPage: judging }, { listApprovers }] = await Promise.all([
        import("../../dashboard/api/pages/pages.ts"),
        import("../../dashboard/api/pages/review-page.ts"),
        import("../../app/list-approvers.ts"),
      ]);
      const places = approverPlaces(options, workplace.definitions);
      const candidates = async () => {
        const listed = await listApprovers(places);
        return "problem" in listed ? [] : listed;
      };
      const canAnswer = (await candidates()).some(({ approver, trusted }) => trusted && approver.kind === "passkey");
      const engine = await engineOf(workplace, id);
      if (!canAnswer || engine === undefined) return undefined;
      pages ??= openPages((fault) => report(String(fault)));
      let answered = (): void => undefined;
      const done = new Promise<void>((resolve) => {
        answered = resolve;
      });
      const { ref } = outcome;
      const project = basename(resolve(options.root));
      const { url } = await pages.open(
        judging({
          engine,
          ref,
          project,
          caller: personAtTerminal(options),
          candidates,
          clock: systemClock,
          answered: () => answered(),
        }),
      );
      const page: AnswerPage = { url, answered: () => done };
      opened.set(key, page);
      return page;
    },
    close: async () => pages?.close(),
  };
}
