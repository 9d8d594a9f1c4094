import { hash } from "node:crypto";
import type { PassCommand } from "../../workflow/command.ts";
import type { ContentRecord, StepRef, Word } from "../../workflow/events.ts";
import type { Gate } from "../../workflow/gate.ts";
import type { JsonObject } from "../../workflow/json.ts";
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
  return askForWord({
    ask,
    confirmation,
    unanswered: connection.unanswered,
    attempt: async (word, agreed) => {
      const reply = await attempt(desks, connection, request, word, agreed);
      if (reply.outcome.kind !== "awaiting") return { reply };
      const { ref } = reply.outcome;
      return { reply, awaiting: { ref, question: questionFor(ref, request) } };
    },
    decline: (ref, reason) =>
      inSession(desks, session, async ({ desk, snapshot, workflow }) => {
        const command = { kind: "decline", ref, ...(reason === undefined ? {} : { reason }) } as const;
        return (await desks.carryOut(desk, connection, workflow, snapshot, command)).reply;
      }),
  });
}

function attempt(
  desks: Desks,
  connection: Connection,
  request: PassRequest,
  word: Word | undefined,
  agreed: StepRef | undefined,
): Promise<PhasedReply> {
  return inSession(desks, request.session_id, async ({ desk, snapshot, workflow }) => {
    const { reply } = await desks.carryOut(desk, connection, workflow, snapshot, {
      ...(await commandFor(desks, workflow, snapshot, request)),
      ...(word === undefined ? {} : { word }),
      ...(agreed === undefined ? {} : { agreed }),
    });
    return reply;
  });
}

async function commandFor(
  desks: Desks,
  workflow: PhasedWorkflow,
  { desk }: SessionSnapshot,
  { phase, evidence, outputs, confirmation }: PassRequest,
): Promise<PassCommand> {
  const step = String(phase);
  const state = desk.runs.get(workflow.type)?.steps.get(step);
  const gate = workflow.phases.find(({ number }) => number === phase)?.gate;
  const isOpen = state?.status === "started" && gate !== undefined;
  const claimed = { ...state?.handed.evidence, ...evidence };
  const observed = isOpen && looksOutside(gate) ? { observed: await desks.parts.observe(gate, claimed) } : {};
  const content = isOpen
    ? await filesNamed(desks, gate, desk.runs.get(workflow.type)?.pass ?? 1, step, claimed, outputs)
    : [];
  const said = JSON.stringify([evidence ?? null, outputs ?? null, confirmation ?? null]);
  const fingerprint = hash("sha256", said).slice(0, 32);
  return {
    kind: "pass",
    step,
    fingerprint,
    ...observed,
    handed: {
      ...(evidence === undefined ? {} : { evidence }),
      ...(outputs === undefined ? {} : { outputs }),
      ...(content.length === 0 ? {} : { content }),
    },
  };
}

/** The files that the evidence names where the gate wants one, and those of `outputs.files`: on record by size and hash. */
async function filesNamed(
  { parts }: Desks,
  gate: Gate,
  pass: number,
  step: string,
  evidence: JsonObject,
  outputs: JsonObject | undefined,
): Promise<readonly ContentRecord[]> {
  const asked = gate.requirements.filter(({ rules }) => rules.some(({ kind }) => kind === "file_exists"));
  const named = [...asked.map(({ field }) => evidence[field]), outputs?.files].flat();
  const paths = new Set(named.filter((path) => typeof path === "string").slice(0, 50));
  const records: ContentRecord[] = [];
  for (const path of paths) {
    // One that cannot be put on record is the gate's matter, not ours.
    const held = await parts.content.hold({ workflow: step, pass, step, attempt: 1 }, [{ path }]);
    if ("records" in held) records.push(...held.records);
  }
  return records;
}

function questionFor({ step, workflow }: StepRef, { evidence, confirmation }: PassRequest): string {
  const lines = [`Is Phase ${step} of ${workflow} done? Its gate asks for your approval.`];
  const proof = JSON.stringify(evidence ?? {});
  if (proof !== "{}") lines.push(`Evidence: ${proof.slice(0, 600)}${proof.length > 600 ? "…" : ""}`);
  if (confirmation !== undefined)
    lines.push(`The assistant says you said: ${JSON.stringify(confirmation.slice(0, 500))}`);
  lines.push("Accept to complete it. Decline to keep it open.");
  return lines.join("\n");
}
