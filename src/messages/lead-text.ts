import type { Reply } from "../engine/reply.ts";
import { defined } from "../kit/defined.ts";
import type { Outcome } from "../workflow/outcome.ts";
import type { StepState } from "../workflow/stream-snapshot.ts";
import { rejectionText } from "./approval-texts.ts";
import { blockedLead } from "./blocked-texts.ts";

/** What a reply says before anything else: a person's rejection, answer or waiver, or an unanswered report; undefined if nothing. */
export function leadOfReply({ id, outcome, stream }: Pick<Reply, "id" | "outcome" | "stream">): string | undefined {
  const ref = "ref" in outcome ? outcome.ref : outcome.kind === "refused" ? outcome.current : null;
  const run = ref === null ? undefined : stream.runs.get(ref.workflow);
  const state = ref !== null && run?.pass === ref.pass ? run.steps.get(ref.step) : undefined;
  if (ref === null || state === undefined) return undefined;
  return leadOfStep(id.kind === "session" ? `Phase ${ref.step}` : ref.step, partsSaid(outcome, state));
}

/** The same for a step, by its title. */
export function leadOfStep(step: string, { rejection, ...state }: LeadParts): string | undefined {
  const said = [...blockedLead(step, state), ...(rejection === undefined ? [] : [rejectionText(rejection, step)])];
  return said.length === 0 ? undefined : said.join(" ");
}

type LeadParts = Partial<Pick<StepState, "rejection" | "blocked" | "answer" | "waivers">>;

/** The parts that a reply repeats: an open step's are shown until it is completed. */
function partsSaid(outcome: Outcome, { rejection, answer, waivers, blocked, status }: StepState): LeadParts {
  const isOpen = status === "started";
  switch (outcome.kind) {
    case "opened":
    case "interrupted":
      return isOpen ? defined({ rejection, answer, waivers, blocked }) : {};
    case "refused": {
      const isDeclined = outcome.refusal.kind === "declined";
      return isOpen ? defined({ rejection: isDeclined ? undefined : rejection, answer, waivers, blocked }) : {};
    }
    case "awaiting":
    case "checking":
    case "completed":
    case "finished":
      return defined({ answer });
    default:
      return {};
  }
}
