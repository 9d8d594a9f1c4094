import { basename, resolve } from "node:path";
import { listApprovers } from "../compose-people.ts";
import type { PersonsAnswer } from "../engine/answer.ts";
import type { Reply } from "../engine/reply.ts";
import { judging } from "../http/pages/judging.ts";
import { openPages } from "../http/pages/pages.ts";
import type { Signed } from "../people/statement.ts";
import { type AnswerOptions, onlyWaiting } from "./answer.ts";
import { answeredLines, cameTo } from "./answer-words.ts";
import { showPage } from "./open-browser.ts";
import { listedOrFault, peoplePlaces } from "./people-places.ts";
import { print, printJson } from "./print.ts";
import { findHandIns } from "./show.ts";
import { atTerminal, workplaceFor } from "./workplace.ts";

/** Serves a page on which a person sees what waits, whole, and answers with their passkey; ends when they have. */
export async function answerOnPage(run: string | undefined, options: AnswerOptions): Promise<void> {
  const workplace = workplaceFor(options);
  const pages = openPages((fault) => void process.stderr.write(`waymark: ${String(fault)}\n`));
  try {
    const chosen = onlyWaiting(await findHandIns(workplace, run, options.run), run, "approve --web");
    const { ref } = chosen.handIn;
    const places = peoplePlaces(options);
    const { reply, signed, name } = await new Promise<Answered>((answered, fail) => {
      const page = judging({
        engine: chosen.engine,
        ref,
        project: basename(resolve(options.root)),
        caller: atTerminal(),
        candidates: async () => listedOrFault(await listApprovers(places)),
        clock: () => new Date(),
        answered: (reply, signed, name) => answered({ reply, signed, name }),
      });
      pages.open(page).then(({ url }) => showPage(url, "Answer there", options.json === true), fail);
    });
    const { digest, decision, comment } = signed.statement;
    const answer: PersonsAnswer = { ref, digest, decision, signed, ...(comment === undefined ? {} : { comment }) };
    const came = cameTo(chosen, reply, answer, { name, key: signed.proof.key });
    if (options.json === true) printJson(came);
    else print(...answeredLines(came, chosen.title, reply));
    await workplace.settle();
  } finally {
    await pages.close();
    workplace.close();
  }
}

type Answered = { readonly reply: Reply; readonly signed: Signed; readonly name: string };
