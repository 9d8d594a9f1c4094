import type { Event } from "../workflow/events.ts";
import type { ItemState } from "../workflow/item-state.ts";
import { itemField, itemsDigest, tickedOutcome, waitsFor } from "../workflow/items.ts";
import { replayer } from "../workflow/replay.ts";
import { sessionRun } from "../workflow/session-view.ts";
import type { Run, StepState } from "../workflow/stream-snapshot.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { type AuditedStream, listProblems } from "./audit-streams.ts";
import { compareWalk } from "./compare-walk.ts";
import type { ExpectedWalk } from "./expected-walk.ts";
import { eventsSince } from "./since-base.ts";
import { type ExpectedWalks, type JudgedWalk, type ObserveAgain, observeWalk } from "./walk-sources.ts";

/** The means to judge the items of a walk: every history, and the definitions that count. */
export type ItemMeans = {
  readonly audited: readonly AuditedStream[];
  readonly now: ExpectedWalks;
  readonly versions: readonly ExpectedWalks[];
  readonly observe: ObserveAgain;
  /** The hashes of the base's records, for a proposal. */
  readonly known: ReadonlySet<string> | undefined;
  readonly events: readonly Event[];
  readonly called: (step: string) => string;
};

/** The result: what contradicts it, remarks, and what people waived in the sessions of items. */
export type JudgedItems = {
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  readonly waived: readonly string[];
  /** The walks of the items, for comparing with the files as they are. */
  readonly walks: readonly JudgedWalk[];
};

/** Proves the items of a walk: each was opened in order, is settled or dropped by a person, and its own session proves it. */
export async function judgeItems(parent: AuditedStream, run: Run, means: ItemMeans): Promise<JudgedItems> {
  const problems: string[] = [];
  const notes: string[] = [];
  const waivedInside: string[] = [];
  const walks: JudgedWalk[] = [];
  const definitions = await Promise.all([means.now, ...means.versions].map((from) => definitionOf(parent, run, from)));
  const usable = definitions.flatMap((one) => ("problem" in one ? [] : [one.workflow]));
  problems.push(...orderProblems(run, usable, means));
  for (const [step, state] of run.steps) {
    const completed = means.events.findLast((event) => isCompletionOf(event, run, step, state));
    if (state.status !== "completed" || state.items === undefined || completed?.type !== "completed") continue;
    const name = means.called(step);
    if (completed.items !== undefined && completed.items !== itemsDigest(state.items))
      problems.push(`${name}: its items are not those that it was completed with`);
    const waived = new Set((completed.waived ?? []).map(({ field }) => field));
    const accepted = usable.flatMap(
      ({ steps }) => steps.find((one) => one.name === step)?.routing?.calls?.accept ?? [],
    );
    for (const item of state.items.items) {
      const found = await judgeItem(parent, item, accepted, waived, means);
      problems.push(...found.problems.map((text) => `${name}, item ${item.id}: ${text}`));
      notes.push(...found.notes.map((text) => `${name}, item ${item.id}: ${text}`));
      walks.push(...found.walks);
      waivedInside.push(...found.waived.map((text) => `${name}, item ${item.id}: ${text}`));
    }
  }
  return { problems, notes, waived: waivedInside, walks };
}

function isCompletionOf(event: Event, { workflow, pass }: Run, step: string, { attempt }: StepState): boolean {
  return (
    event.type === "completed" &&
    event.workflow === workflow &&
    event.pass === pass &&
    event.step === step &&
    event.attempt === attempt
  );
}

function definitionOf(
  { kind, name, stream }: AuditedStream,
  run: Run,
  from: ExpectedWalks,
): ExpectedWalk | Promise<ExpectedWalk> {
  return kind === "bot"
    ? from.ofBehavior(name, run.workflow)
    : from.ofWorkflow(stream.session?.workflow ?? run.workflow, stream.session?.options ?? {});
}

/** Replays when items were opened: what each comes after was settled then. */
function orderProblems(
  { workflow, pass }: Run,
  usable: readonly Workflow[],
  { events, called }: ItemMeans,
): readonly string[] {
  const problems: string[] = [];
  const opened = events.filter(
    (event) => event.type === "item_opened" && event.workflow === workflow && event.pass === pass,
  );
  if (opened.length === 0) return problems;
  const advance = replayer();
  for (const event of events) {
    if (event.type === "item_opened" && event.workflow === workflow && event.pass === pass) {
      const { items = [] } = advance([]).runs.get(workflow)?.steps.get(event.step)?.items ?? {};
      const item = items.find(({ id }) => id === event.item);
      const calls = usable.flatMap(({ steps }) => steps.find(({ name }) => name === event.step)?.routing?.calls ?? []);
      const waits = item === undefined || calls.length === 0 ? [] : calls.map((one) => waitsFor(items, item, one));
      const least = waits.toSorted((a, b) => a.length - b.length)[0] ?? [];
      if (least.length > 0)
        problems.push(`${called(event.step)}: item ${event.item} was opened before ${least.join(", ")}`);
    }
    advance([event]);
  }
  return problems;
}

async function judgeItem(
  parent: AuditedStream,
  item: ItemState,
  accepted: readonly string[],
  waived: ReadonlySet<string>,
  means: ItemMeans,
): Promise<JudgedItems> {
  const bad = (...problems: string[]): JudgedItems => ({ problems, notes: [], waived: [], walks: [] });
  const { status, outcome = "done", sessions = [], head, isCarried } = item;
  if (status === "dropped") return waived.has(itemField(item.id)) || isCarried ? bad() : bad("no person dropped it");
  if (status !== "settled") return bad("it is not settled");
  if (outcome === tickedOutcome && sessions.length === 0) return { ...bad(), notes: ["its list marked it as done"] };
  if (!accepted.includes(outcome)) return bad(`it ended as ${outcome}, which its step does not accept`);
  const id = sessions.at(-1);
  const session = means.audited.find((one) => one.kind === "session" && one.name === id);
  const run = session === undefined ? undefined : sessionRun(session.stream);
  if (session === undefined || run === undefined)
    return bad(`the history of its session is not here (${id ?? "none"})`);
  if (session.stream.session?.item?.id !== item.id && !sessions.includes(session.name))
    return bad("its session is for another item");
  const { hashes, head: last } = session.journal;
  if (head === undefined || (head !== last && ![...hashes.values()].includes(head)))
    return bad("the history of its session is not the one that settled it");
  return judgeSession(session, run, outcome, means, parent);
}

/** Compares the session of an item with the definitions, and its own items. */
async function judgeSession(
  session: AuditedStream,
  run: Run,
  outcome: string,
  means: ItemMeans,
  { name: parent }: AuditedStream,
): Promise<JudgedItems> {
  const { now, versions, observe, known } = means;
  const { events, oldProblems } = await eventsSince(session, known);
  const called = (step: string): string => `phase ${step}`;
  const from = (one: ExpectedWalks): Promise<ExpectedWalk> =>
    one.ofWorkflow(session.stream.session?.workflow ?? "", {});
  const walk = {
    workflow: run.workflow,
    run,
    events,
    called,
    approvals: session.approvals,
    observe: observeWalk(session, observe),
  };
  const held = await compareWalk(walk, {
    now: await from(now),
    versions: await Promise.all(versions.map(from)),
    added: [],
    outcome,
  });
  const own = await judgeItems(session, run, { ...means, events, called });
  const isOwn = session.stream.session?.item?.parent.startsWith(parent) === true;
  const waived = held.steps.flatMap(({ step, waived: all = [] }) =>
    all.map(({ field, by, reason }) => `${called(step)}: ${field} was waived by ${by}: "${reason}"`),
  );
  const problems = [
    ...(isOwn ? [] : ["its session belongs to another parent"]),
    ...oldProblems(held.completions, called),
    ...held.problems,
    ...own.problems,
    ...listProblems(session),
  ];
  const walked: JudgedWalk = { ...held, problems, stream: session, workflow: run.workflow, pass: run.pass };
  return {
    problems,
    notes: [...held.notes, ...own.notes],
    waived: [...waived, ...own.waived],
    walks: [walked, ...own.walks],
  };
}
