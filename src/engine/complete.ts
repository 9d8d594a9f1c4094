import { createHash } from "node:crypto";
import { canonical } from "../evidence/json.ts";
import { looksOutside } from "../evidence/looks-outside.ts";
import type { Agreed, CompleteCommand } from "../workflow/command.ts";
import type { ContentRecord, HandedIn, StepRef, Word } from "../workflow/events.ts";
import type { Refusal } from "../workflow/refusal.ts";
import { askForWord } from "./ask-for-word.ts";
import type { Calling } from "./caller.ts";
import { completeAside } from "./corrections.ts";
import { describe, refuseAtPlace } from "./describe.ts";
import type { DeskParts } from "./desk-parts.ts";
import { gateOf } from "./gates.ts";
import { holdContent } from "./hold-content.ts";
import { objectProblem } from "./input-limits.ts";
import type { Reply } from "./reply.ts";
import type { CompleteRequest } from "./request.ts";
import { runRules } from "./rules.ts";
import { type Previewed, preview, transact } from "./transact.ts";

type InTurn = (work: () => Promise<Reply>) => Promise<Reply>;

/** Completes a step: what is handed in is kept first, a person is asked where one must be, and only then does it count. */
export function completeStep(
  parts: DeskParts,
  inTurn: InTurn,
  caller: Calling,
  request: CompleteRequest,
): Promise<Reply> {
  return askForWord({
    caller,
    confirmation: request.confirmation,
    attempt: (word, agreed) => inTurn(() => attempt(parts, caller, request, word, agreed)),
    answered: (kind, about, reason) =>
      inTurn(async () => {
        const said = reason === undefined ? {} : { reason };
        return describe(parts, await transact(parts, caller, { kind, ...about, ...said }));
      }),
    filesOf: async ({ outcome }) =>
      outcome.kind === "awaiting" ? parts.content.read(parts.id, outcome.ref, outcome.handed.content ?? []) : [],
  });
}

async function attempt(
  parts: DeskParts,
  caller: Calling,
  request: CompleteRequest,
  word: Word | undefined,
  agreed: Agreed | undefined,
): Promise<Reply> {
  const no = (refusal: Refusal, workflow = request.workflow): Promise<Reply> =>
    refuseAtPlace(parts, caller, refusal, workflow);
  const problem = objectProblem("outputs", request.outputs) ?? objectProblem("evidence", request.evidence);
  if (problem !== undefined) return no(invalid(problem, "Write large results to files, and hand those in as content."));

  const { command, expected } = await observed(parts, caller, commandFor(request, word, agreed));
  const { closed } = expected.reading;
  if (closed !== undefined) return no(refusalOf(closed));
  const { outcome } = expected.decision;
  if (outcome.kind === "aside_completed") return completeAside(parts, caller, request, command, outcome.step);
  const ref = openRefOf(expected);
  if (ref === null) return recorded(parts, caller, command, expected);

  const held = await holdContent(parts, expected, ref, request, command.handed);
  if ("refused" in held) {
    const reasons = held.refused.map(({ path, reason }) => `content path ${JSON.stringify(path)}: ${reason}`);
    return no(invalid(reasons.join("; "), "Use paths of ordinary files inside the project area."), ref.workflow);
  }
  const judged = await judge(parts, expected, ref, held.records);
  const spoiled = judged.violations === undefined ? await spoiledFiles(parts, expected, ref, held.records) : [];
  const content = held.records.length === 0 ? {} : { content: held.records };
  const handed = { ...command.handed, ...content };
  const record = held.record === undefined ? {} : { record: held.record };
  const reply = await recorded(parts, caller, { ...command, ...judged, ...record, handed }, expected);
  return { ...reply, warnings: [...reply.warnings, ...held.warnings, ...spoiled] };
}

/** What of the files on record is no longer what was handed in: where no gate looks at them, it is said. */
async function spoiledFiles(
  { id, content }: DeskParts,
  { desk }: Previewed,
  ref: StepRef,
  now: readonly ContentRecord[],
): Promise<readonly string[]> {
  const before = desk.runs.get(ref.workflow)?.steps.get(ref.step)?.handed.content ?? [];
  const newest = [...new Map([...before, ...now].map((record) => [record.path, record])).values()];
  const files = newest.length === 0 ? [] : await content.read(id, ref, newest);
  return files.flatMap((file) => ("problem" in file ? [`${file.path}: ${file.problem}.`] : []));
}

/** The open step that this completion is about: null where it is refused before anything is looked at. */
function openRefOf({ decision, desk }: Previewed): StepRef | null {
  const { outcome, events } = decision;
  const { refusal, current } = outcome.kind === "refused" ? outcome : { refusal: undefined, current: null };
  if (refusal !== undefined) {
    const isGate = refusal.kind === "gaps" || refusal.kind === "gate_closed" || refusal.kind === "violations";
    return isGate ? current : null;
  }
  const isOpen = outcome.kind === "awaiting" || events.some(({ type }) => type === "completed");
  const ref = isOpen && "ref" in outcome ? outcome.ref : null;
  return ref !== null && desk.runs.has(ref.workflow) ? ref : null;
}

/** What the command would come to, with what the server itself finds out about the evidence where the gate wants that. */
async function observed(
  parts: DeskParts,
  caller: Calling,
  command: CompleteCommand,
): Promise<{ command: CompleteCommand; expected: Previewed }> {
  const expected = await preview(parts, caller, command);
  const ref = openRefOf(expected);
  const gate = ref === null ? undefined : gateOf(expected.reading, ref);
  if (ref === null || gate === undefined || !looksOutside(gate)) return { command, expected };
  const before = expected.desk.runs.get(ref.workflow)?.steps.get(ref.step)?.handed.evidence;
  const evidence = command.handed.evidence ?? before ?? {};
  return { command: { ...command, observed: await parts.observe(gate, evidence) }, expected };
}

/** What the rules say of what would count, where the step or its gate wants that. */
async function judge(
  parts: DeskParts,
  expected: Previewed,
  ref: StepRef,
  records: readonly ContentRecord[],
): Promise<Pick<CompleteCommand, "violations" | "rules">> {
  const wants = parts.definitions.rules?.checks(ref.step) === true || gateOf(expected.reading, ref)?.rulesHold === true;
  if (!wants) return {};
  const { desk, reading } = expected;
  const before = desk.runs.get(ref.workflow)?.steps.get(ref.step)?.handed.content ?? [];
  return runRules(parts, reading.plan, desk, ref.workflow, { ref, records: [...before, ...records] });
}

/** Records the completion and, once it counts, saves what was held for it. */
async function recorded(
  parts: DeskParts,
  caller: Calling,
  command: CompleteCommand,
  expected: Previewed,
): Promise<Reply> {
  const transacted = await transact(parts, caller, command, expected);
  const { outcome, events } = transacted.decision;
  const counted = events.find((event) => event.type === "completed");
  const reply = await describe(parts, transacted, command.violations);
  if (counted === undefined || !("handed" in outcome)) return reply;
  const { content = [] } = outcome.handed;
  const saved = content.length === 0 ? [] : await parts.content.save(parts.id, counted, content);
  return { ...reply, warnings: [...reply.warnings, ...saved] };
}

function commandFor(request: CompleteRequest, word: Word | undefined, agreed: Agreed | undefined): CompleteCommand {
  const { outputs, evidence } = request;
  const workflow = agreed?.ref.workflow ?? request.workflow;
  const step = agreed?.ref.step ?? request.step;
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
    ...(agreed === undefined ? {} : { agreed }),
  };
}

function fingerprint({ outputs, evidence, content, confirmation }: CompleteRequest): string {
  const said = canonical([outputs ?? null, evidence ?? null, content ?? null, confirmation ?? null]);
  return createHash("sha256").update(said).digest("hex").slice(0, 32);
}

function invalid(message: string, fix: string): Refusal {
  return { kind: "invalid_input", message, fix };
}

/** No to work by definitions that cannot be used. */
export function refusalOf(closed: NonNullable<Previewed["reading"]["closed"]>): Refusal {
  return "gone" in closed
    ? { kind: "definition_gone", workflow: closed.gone }
    : { kind: "invalid_definition", problem: closed.problem };
}
