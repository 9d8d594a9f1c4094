import { hash } from "node:crypto";
import type { PassCommand } from "../../workflow/command.ts";
import { mergeHandedIn } from "../../workflow/desk.ts";
import type { StepRef, Word } from "../../workflow/events.ts";
import { askForWord } from "../ask-for-word.ts";
import { objectProblem } from "../input-limits.ts";
import { looksOutside } from "../looks-outside.ts";
import type { PhasedWorkflow, SessionSnapshot } from "../phased-ports.ts";
import type { Ask } from "../reply.ts";
import { refused } from "./answers.ts";
import type { Desks } from "./desks.ts";
import { inSession } from "./in-session.ts";
import type { Connection, PassRequest } from "./phased-engine.ts";
import type { PhasedReply } from "./phased-reply.ts";
import { questionFor } from "./question.ts";
import { filesNamed, recordFiles } from "./record-files.ts";

/** Puts evidence to the gate of a session's current phase; passed, the next phase is open and shown. */
export async function completePhase(
  desks: Desks,
  connection: Connection,
  request: PassRequest,
  ask: Ask | undefined,
): Promise<PhasedReply> {
  const { session_id: session, evidence, outputs, confirmation } = request;
  const problem = objectProblem("evidence", evidence) ?? objectProblem("outputs", outputs);
  if (problem !== undefined) {
    return refused({
      error: "invalid_input",
      message: `Not taken: ${problem}.`,
      required_action: "Write large results to files, and name the files in the evidence.",
    });
  }
  let question: string | undefined;
  const reply = await askForWord({
    ask,
    confirmation,
    unanswered: connection.unanswered,
    attempt: async (word, agreed) => {
      const reply = await attempt(desks, connection, request, word, agreed && { ref: agreed, question });
      if (reply.outcome.kind !== "awaiting") return { reply };
      const { ref, handed } = reply.outcome;
      question = questionFor(ref, handed, confirmation);
      return { reply, awaiting: { ref, question } };
    },
    decline: (ref, reason) =>
      inSession(desks, session, async ({ desk, snapshot, workflow }) => {
        const command = { kind: "decline", ref, ...(reason === undefined ? {} : { reason }) } as const;
        return (await desks.carryOut(desk, connection, workflow, snapshot, command)).reply;
      }),
  });
  // A question leaves without the reply: what the reply would have said is said by the next one.
  if (reply.question !== undefined) desks.of(session).keep(reply.warnings);
  return reply;
}

/** What a person agreed to: the step, and the question that they were shown. */
type Agreed = { readonly ref: StepRef; readonly question: string | undefined };

function attempt(
  desks: Desks,
  connection: Connection,
  request: PassRequest,
  word: Word | undefined,
  agreed: Agreed | undefined,
): Promise<PhasedReply> {
  return inSession(desks, request.session_id, async ({ desk, snapshot, workflow }) => {
    const { command, warnings } = await commandFor(desks, workflow, snapshot, request);
    const before = snapshot.desk.runs.get(workflow.type)?.steps.get(command.step)?.handed ?? {};
    const handed = mergeHandedIn(before, command.handed);
    // A yes counts for what was shown: where something else was handed in meanwhile, it is a yes to nothing.
    const isSame = agreed === undefined || questionFor(agreed.ref, handed, request.confirmation) === agreed.question;
    const { reply } = await desks.carryOut(desk, connection, workflow, snapshot, {
      ...command,
      ...(word === undefined || !isSame ? {} : { word }),
      ...(agreed === undefined ? {} : { agreed: agreed.ref }),
    });
    return reply.outcome.kind === "refused" ? reply : { ...reply, warnings: [...reply.warnings, ...warnings] };
  });
}

async function commandFor(
  desks: Desks,
  workflow: PhasedWorkflow,
  { desk }: SessionSnapshot,
  { phase, evidence, outputs, confirmation }: PassRequest,
): Promise<{ readonly command: PassCommand; readonly warnings: readonly string[] }> {
  const step = String(phase);
  const state = desk.runs.get(workflow.type)?.steps.get(step);
  const gate = workflow.phases.find(({ number }) => number === phase)?.gate;
  const isOpen = state?.status === "started" && gate !== undefined;
  const claimed = { ...state?.handed.evidence, ...evidence };
  const observed = isOpen && looksOutside(gate) ? { observed: await desks.parts.observe(gate, claimed) } : {};
  const ref = { workflow: workflow.type, pass: desk.runs.get(workflow.type)?.pass ?? 1, step, attempt: 1 };
  const { records, warnings } = isOpen
    ? await recordFiles(desks.parts, ref, filesNamed(gate, claimed, outputs))
    : { records: [], warnings: [] };
  const said = JSON.stringify([evidence ?? null, outputs ?? null, confirmation ?? null]);
  const fingerprint = hash("sha256", said).slice(0, 32);
  const command: PassCommand = {
    kind: "pass",
    step,
    fingerprint,
    ...observed,
    handed: {
      ...(evidence === undefined ? {} : { evidence }),
      ...(outputs === undefined ? {} : { outputs }),
      ...(records.length === 0 ? {} : { content: records }),
    },
  };
  return { command, warnings };
}
