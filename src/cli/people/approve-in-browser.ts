import { basename, resolve } from "node:path";
import { listApprovers } from "../../app/list-approvers.ts";
import { openPages } from "../../dashboard/api/pages/pages.ts";
import { reviewPage } from "../../dashboard/api/pages/review-page.ts";
import type { AnswerRequest } from "../../engine/answer-request.ts";
import type { Reply } from "../../engine/reply.ts";
import type { SignedStatement } from "../../gates/approval-statement.ts";
import { defined } from "../../kit/defined.ts";
import { systemClock } from "../../kit/system-clock.ts";
import { showPage } from "../terminal/open-browser.ts";
import { print, printJson } from "../terminal/print.ts";
import { personAtTerminal, workplaceFor } from "../terminal/workplace-options.ts";
import { existingRun } from "../work/find-session.ts";
import { answerLines, answerResult } from "./answer-result.ts";
import { type AnswerOptions, onlyWaitingSubmission } from "./approve.ts";
import { approverPlaces, approversOrThrow } from "./approver-places.ts";
import { findSubmissions } from "./show.ts";

/** Serves a page where a person reviews a submission and answers with a passkey, until they have. */
export async function approveInBrowser(run: string | undefined, options: AnswerOptions): Promise<void> {
  const workplace = workplaceFor(options);
  const pages = openPages((fault) => void process.stderr.write(`waymark: ${String(fault)}\n`));
  try {
    const named = await existingRun(workplace, run);
    const chosen = onlyWaitingSubmission(await findSubmissions(workplace, named, options.run), named, "approve --web");
    const { ref } = chosen.submission;
    const places = approverPlaces(options);
    const { reply, signed, name } = await new Promise<PageAnswer>((answered, fail) => {
      const page = reviewPage({
        engine: chosen.engine,
        ref,
        project: basename(resolve(options.root)),
        caller: personAtTerminal(options),
        candidates: async () => approversOrThrow(await listApprovers(places)),
        clock: systemClock,
        answered: (reply, signed, name) => answered({ reply, signed, name }),
      });
      pages.open(page).then(({ url }) => showPage(url, "Answer in the browser", options.json === true), fail);
    });
    const { digest, decision, comment } = signed.statement;
    const answer: AnswerRequest = { ref, digest, decision, signed, ...defined({ comment }) };
    const came = answerResult(chosen, reply, answer, { name, key: signed.proof.key });
    if (options.json === true) printJson(came);
    else print(...answerLines(came, chosen.title, reply));
    await workplace.settle();
  } finally {
    await pages.close();
    workplace.close();
  }
}

type PageAnswer = { readonly reply: Reply; readonly signed: SignedStatement; readonly name: string };
