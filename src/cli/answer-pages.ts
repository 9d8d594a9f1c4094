import { basename, resolve } from "node:path";
import type { OpenedWorkplace } from "../compose.ts";
import type { Pages } from "../http/pages/pages.ts";
import type { AnswerPage, OpenPage } from "../mcp/ask-elsewhere.ts";
import { peoplePlaces } from "./people-places.ts";
import { atTerminal, type PlaceOptions } from "./workplace.ts";

/** Pages for people whose assistant's client can open one; nothing of them is loaded, and nothing listens, before the first. */
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
      const [{ openPages }, { judging }, { listApprovers }] = await Promise.all([
        import("../http/pages/pages.ts"),
        import("../http/pages/judging.ts"),
        import("../compose-people.ts"),
      ]);
      const places = peoplePlaces(options, workplace.definitions);
      const candidates = async () => {
        const listed = await listApprovers(places);
        return "problem" in listed ? [] : listed;
      };
      const canAnswer = (await candidates()).some(({ approver, trusted }) => trusted && approver.kind === "passkey");
      const engine =
        id.kind === "session" ? await workplace.sessions.find(id.name) : await workplace.engine(id.name, id.run);
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
          caller: atTerminal(),
          candidates,
          clock: () => new Date(),
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
