import type { Signed, Statement } from "../people/statement.ts";
import type { Agreed } from "../workflow/command.ts";
import type { Answered } from "../workflow/events.ts";
import { eachOnce } from "../workflow/notice.ts";
import type { Refusal } from "../workflow/refusal.ts";
import { proveAnswer } from "./approvals.ts";
import type { Calling } from "./caller.ts";
import { type InTurn, untilChecked } from "./checks.ts";
import { completeStep } from "./complete.ts";
import { describe, refuseAtPlace } from "./describe.ts";
import type { DeskParts } from "./desk-parts.ts";
import type { Reply } from "./reply.ts";
import { survey, transact } from "./transact.ts";

/** What a person decides elsewhere (at a terminal, on a page) about one hand-in; without a signature nobody can tell who they are. */
export type PersonsAnswer = Agreed & {
  readonly decision: Statement["decision"];
  /** What they say to it; of a rejection, the reason. */
  readonly comment?: string;
  readonly signed?: Signed;
};

/** How an answer is carried out: one call of a desk at a time, with what a crash left saved first. */
export type Turns = { readonly inTurn: InTurn; readonly saveFirst: (work: () => Promise<Reply>) => Promise<Reply> };

/**
 * Puts a person's answer on record, proved first where it is signed. A yes then completes the step, where nothing else is missing:
 * everything is looked at again, and what has changed meanwhile is not what they said yes to.
 */
export async function answer(
  parts: DeskParts,
  { inTurn, saveFirst }: Turns,
  caller: Calling,
  asked: PersonsAnswer,
): Promise<Reply> {
  const recorded = await saveFirst(() => record(parts, caller, asked));
  if (recorded.outcome.kind !== "approved") return recorded;
  const { ref, digest } = asked;
  const completed = await untilChecked(parts, caller, () =>
    saveFirst(async () => {
      const { desk } = await parts.log.look(parts.id);
      const { fingerprint } = desk.runs.get(ref.workflow)?.steps.get(ref.step)?.waiting ?? {};
      const sent = fingerprint === undefined ? {} : { fingerprint };
      return completeStep(parts, inTurn, caller, {}, { agreed: { ref, digest }, ...sent });
    }),
  );
  return { ...completed, warnings: eachOnce(recorded.warnings, completed.warnings) };
}

async function record(parts: DeskParts, caller: Calling, asked: PersonsAnswer): Promise<Reply> {
  const { ref, digest, decision, comment, signed } = asked;
  const no = (refusal: Refusal): Promise<Reply> => refuseAtPlace(parts, caller, refusal, ref.workflow);
  const proved = await proveAnswer(parts, asked);
  if ("problem" in proved) return no({ kind: "unproved", step: ref.step, problem: proved.problem });
  const answered: Answered = { ...proved, ...(signed === undefined ? {} : { signed }) };
  if (decision === "reject") {
    const reason = comment === undefined ? {} : { reason: comment };
    return describe(parts, await transact(parts, caller, { kind: "decline", ref, digest, ...reason, ...answered }));
  }
  const surveyed = await survey(parts, caller);
  const { handed = {} } = surveyed.situation.desk.runs.get(ref.workflow)?.steps.get(ref.step) ?? {};
  const files = await parts.content.read(parts.id, ref, handed.content ?? []);
  const changed = files.flatMap((file) => ("problem" in file ? [`${file.path}: ${file.problem}`] : []));
  if (changed.length > 0)
    return no({
      kind: "invalid_input",
      message: changed.join("; "),
      fix: "Have the assistant hand it in again: what is approved is what was shown.",
    });
  const said = comment === undefined ? {} : { comment };
  const approving = { kind: "approve", ref, digest, ...answered, level: proved.level, ...said } as const;
  return describe(parts, await transact(parts, caller, approving, { surveyed }));
}
