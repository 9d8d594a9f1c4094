import { createHash } from "node:crypto";
import type { CompleteCommand } from "../workflow/command.ts";
import type { ContentRecord, HandedIn, StepRef, Violation, Word } from "../workflow/events.ts";
import type { Gate } from "../workflow/gate.ts";
import { askForWord } from "./ask-for-word.ts";
import { describe, invalidInput, refusedBy, runRules } from "./describe.ts";
import type { CompleteRequest, EngineParts } from "./engine.ts";
import { objectProblem } from "./input-limits.ts";
import { looksOutside } from "./looks-outside.ts";
import { applyCorrection } from "./open.ts";
import { recordPath, recordText } from "./produced.ts";
import type { Ask, Reply } from "./reply.ts";
import type { Session } from "./session.ts";
import { type Previewed, preview, type Transacted, transact } from "./transact.ts";

type InTurn = (work: () => Promise<Reply>) => Promise<Reply>;

/** Completes a step: what is handed in is kept first, a person is asked where one must be, and only then does it count. */
export async function completeStep(
  parts: EngineParts,
  inTurn: InTurn,
  session: Session,
  request: CompleteRequest,
  ask: Ask | undefined,
): Promise<Reply> {
  return askForWord({
    ask,
    confirmation: request.confirmation,
    unanswered: session.unanswered,
    attempt: async (word, agreed) => {
      const reply = await inTurn(() => attempt(parts, session, request, word, agreed));
      if (reply.outcome.kind !== "awaiting") return { reply };
      const { ref } = reply.outcome;
      return { reply, awaiting: { ref, question: questionFor(ref, request.confirmation, reply.violations) } };
    },
    decline: (ref, reason) =>
      inTurn(async () => {
        const said = reason === undefined ? {} : { reason };
        return describe(parts, await transact(parts, session, { kind: "decline", ref, ...said }));
      }),
  });
}

async function attempt(
  parts: EngineParts,
  session: Session,
  request: CompleteRequest,
  word: Word | undefined,
  meant?: StepRef,
): Promise<Reply> {
  const problem = objectProblem("outputs", request.outputs) ?? objectProblem("evidence", request.evidence);
  if (problem !== undefined) return invalidInput(parts, session, problem, "Hand large results in as content files.");
  const closed = parts.definitions.plan().closed;
  if (closed !== undefined) return refusedBy(parts, session, closed);

  const { command: base, expected } = await observed(parts, session, commandFor(request, word, meant));
  const { outcome } = expected.decision;
  if (outcome.kind === "aside_completed") return completeAside(parts, session, request, base, outcome.step);
  const isOpen = outcome.kind === "awaiting" || expected.decision.events.some(({ type }) => type === "completed");
  const ref = isOpen && "ref" in outcome ? outcome.ref : null;
  if (ref === null || !("handed" in outcome)) return recordCompletion(parts, session, base, expected);

  const given = request.content ?? [];
  const held = given.length === 0 ? { records: [], warnings: [] } : await parts.content.hold(ref, given);
  if ("refused" in held) {
    const reasons = held.refused
      .map(({ path, reason }) => `content path ${JSON.stringify(path)}: ${reason}`)
      .join("; ");
    return invalidInput(parts, session, reasons, "Use paths of ordinary files inside the project area.");
  }
  const own = outcome.kind === "awaiting" ? [] : readableRecord(expected, ref, outcome.handed);
  const kept = await holdRecord(
    parts,
    ref,
    own.filter(({ path }) => !given.some((item) => item.path === path)),
  );
  const records = [...held.records, ...kept.records];
  const violations = await violationsAt(parts, expected, ref, records);
  const command: CompleteCommand = {
    ...base,
    handed: { ...base.handed, ...(records.length === 0 ? {} : { content: records }) },
    ...(violations === undefined ? {} : { violations }),
  };
  const reply = await recordCompletion(parts, session, command, expected, violations);
  return { ...reply, warnings: [...reply.warnings, ...held.warnings, ...kept.warnings] };
}

/** What the command would come to, with what the server itself finds out about the evidence where the gate wants that. */
async function observed(
  parts: EngineParts,
  session: Session,
  command: CompleteCommand,
): Promise<{ command: CompleteCommand; expected: Previewed }> {
  const first = await preview(parts, session, command);
  const { outcome } = first.decision;
  const ref = outcome.kind === "refused" ? outcome.current : "ref" in outcome ? outcome.ref : null;
  const gate = ref === null ? undefined : gateOf(first, ref);
  if (ref === null || gate === undefined || !looksOutside(gate)) return { command, expected: first };
  const before = first.desk.runs.get(ref.workflow)?.steps.get(ref.step)?.handed.evidence;
  const watched = { ...command, observed: await parts.observe(gate, { ...before, ...command.handed.evidence }) };
  return { command: watched, expected: await preview(parts, session, watched) };
}

function gateOf({ reading }: Transacted, ref: StepRef): Gate | undefined {
  const workflow = reading.plan.workflows.find(({ name }) => name === ref.workflow);
  return workflow?.steps.find(({ name }) => name === ref.step)?.gate;
}

/** Keeps our own readable file; where it has no place, the completion counts all the same. */
async function holdRecord(
  { content }: EngineParts,
  ref: StepRef,
  items: readonly { path: string; text: string }[],
): Promise<{ records: readonly ContentRecord[]; warnings: readonly string[] }> {
  if (items.length === 0) return { records: [], warnings: [] };
  const held = await content.hold(ref, items);
  if (!("refused" in held)) return held;
  return { records: [], warnings: held.refused.map(({ path, reason }) => `No readable record at ${path}: ${reason}.`) };
}

/** Records the completion and, once it counts, saves what was held for it. */
async function recordCompletion(
  parts: EngineParts,
  session: Session,
  command: CompleteCommand,
  expected: Previewed,
  violations?: readonly Violation[],
): Promise<Reply> {
  const transacted = await transact(parts, session, command, expected);
  const { outcome, events } = transacted.decision;
  const counted = events.find((event) => event.type === "completed");
  const reply = await describe(parts, transacted, violations);
  const checked = violations ?? ("violations" in outcome ? outcome.violations : undefined);
  const told = checked === undefined ? reply : { ...reply, violations: checked };
  if (counted === undefined || !("handed" in outcome)) return told;
  if (session.opened?.step === counted.step && session.opened.workflow === counted.workflow) session.opened = null;
  const { content = [] } = outcome.handed;
  const saved = content.length === 0 ? [] : await parts.content.save(counted, content);
  return { ...told, warnings: [...told.warnings, ...saved] };
}

async function completeAside(
  parts: EngineParts,
  session: Session,
  request: CompleteRequest,
  command: CompleteCommand,
  step: string,
): Promise<Reply> {
  let done: string | undefined;
  if (parts.definitions.keepsCorrections(step) && parts.definitions.readCorrection(request.outputs) !== undefined) {
    const workflow = command.workflow ?? parts.definitions.plan().plan.workflows[0]?.name ?? "";
    const applied = applyCorrection(parts, workflow, request.outputs);
    if ("refused" in applied) {
      return invalidInput(parts, session, applied.refused, "Send outputs {rule, dont, do, pattern?}.");
    }
    done = applied.kept;
  }
  const reply = await describe(parts, await transact(parts, session, command));
  if (session.openedAside === step) session.openedAside = null;
  return done === undefined ? reply : { ...reply, done };
}

function commandFor(request: CompleteRequest, word: Word | undefined, meant: StepRef | undefined): CompleteCommand {
  const { outputs, evidence } = request;
  const workflow = meant?.workflow ?? request.workflow;
  const step = meant?.step ?? request.step;
  const handed: HandedIn = {
    ...(outputs === undefined ? {} : { outputs }),
    ...(evidence === undefined ? {} : { evidence }),
  };
  return {
    kind: "complete",
    handed,
    fingerprint: fingerprint(request),
    ...(workflow === undefined ? {} : { workflow }),
    ...(step === undefined ? {} : { step }),
    ...(word === undefined ? {} : { word }),
    ...(meant === undefined ? {} : { agreed: meant }),
  };
}

function fingerprint({ outputs, evidence, content, confirmation }: CompleteRequest): string {
  const said = [outputs ?? null, evidence ?? null, content ?? null, confirmation ?? null];
  return createHash("sha256").update(JSON.stringify(said)).digest("hex").slice(0, 32);
}

function readableRecord(
  { reading }: Transacted,
  ref: StepRef,
  { outputs }: HandedIn,
): { path: string; text: string }[] {
  if (outputs === undefined || Object.keys(outputs).length === 0) return [];
  return [{ path: recordPath(reading.plan.name, ref), text: recordText(ref, outputs) }];
}

async function violationsAt(
  parts: EngineParts,
  expected: Transacted,
  ref: StepRef,
  records: readonly ContentRecord[],
): Promise<readonly Violation[] | undefined> {
  if (!parts.definitions.checksRules(ref.step) && gateOf(expected, ref)?.rulesHold !== true) return undefined;
  return runRules(parts, expected, ref.workflow, { ref, records });
}

function questionFor(
  ref: StepRef,
  confirmation: string | undefined,
  violations: readonly Violation[] | undefined,
): string {
  const lines = [`Is ${ref.step} of ${ref.workflow} done?`];
  if (confirmation !== undefined)
    lines.push(`The assistant says you said: ${JSON.stringify(confirmation.slice(0, 500))}`);
  if (violations !== undefined) lines.push(...violationLines(violations));
  lines.push("Accept to complete it. Decline to keep it open.");
  return lines.join("\n");
}

/** The results of the rules, in a few lines for a person. */
function violationLines(violations: readonly Violation[]): string[] {
  if (violations.length === 0) return ["Rules checked by Waymark: no violations."];
  const shown = violations.slice(0, 5).map(({ rule, file, line, message }) => {
    return `- ${rule}: ${file}${line === undefined ? "" : `:${line}`} ${message.slice(0, 120)}`;
  });
  const rest = violations.length > 5 ? [`- and ${violations.length - 5} more`] : [];
  return [`Rules checked by Waymark: ${violations.length} violation(s).`, ...shown, ...rest];
}
