import type { WorkflowListing } from "../engine/ports/phased.ts";
import type { AddedCheck } from "../gates/rules-meaning.ts";
import { type AuditedStream, countedEvents, listProblems } from "./audit-streams.ts";
import { type AcceptedDefinitions, type ComparedStep, compareWalk, type Walk } from "./compare-walk.ts";
import type { ExpectedWalk } from "./expected-walk.ts";
import { judgeItems } from "./judge-items.ts";
import { eventsSince } from "./since-base.ts";
import { type ExpectedWalks, type JudgedWalk, type ObserveAgain, observeWalk } from "./walk-sources.ts";

/** The required walk: a phased workflow, optionally for one target or session, or a bot's behavior. */
export type RequiredWalk =
  | { readonly kind: "workflow"; readonly names: readonly string[]; readonly target: string | undefined }
  | { readonly kind: "session"; readonly id: string }
  | { readonly kind: "behavior"; readonly bot: string; readonly behavior: string };

/** The defined names. */
export type DefinedNames = {
  readonly bots: readonly { readonly name: string; readonly behaviors: readonly string[] }[];
  readonly workflows: readonly WorkflowListing[];
};

/** Resolves a name to a requirement by the definitions or, if they no longer have it, by the record; returns the problem otherwise. */
export function resolveRequired(
  name: string,
  target: string | undefined,
  { bots, workflows }: DefinedNames,
  audited: readonly AuditedStream[],
): RequiredWalk | { readonly unclear: string } {
  const phased = workflows.find(({ type, aliases = [] }) => type === name || aliases.includes(name));
  const having = bots.filter(({ behaviors }) => behaviors.includes(name)).map((bot) => bot.name);
  if (phased !== undefined && having.length > 0)
    return {
      unclear: `${name} is a workflow and a behavior of ${having.join(", ")}: rename one, or name <bot>.${name}`,
    };
  if (having.length > 1)
    return {
      unclear: `${having.join(" and ")} have a behavior ${name}: name ${having.map((bot) => `${bot}.${name}`).join(" or ")}`,
    };
  const asWorkflow = (names: readonly string[]): RequiredWalk => ({ kind: "workflow", names, target });
  if (phased !== undefined) return asWorkflow([name, phased.type, ...(phased.aliases ?? [])]);
  const [bot] = having;
  if (bot !== undefined) return { kind: "behavior", bot, behavior: name };
  const dot = name.indexOf(".");
  const [prefix, rest] = [name.slice(0, Math.max(0, dot)), name.slice(dot + 1)];
  const knownBots = [
    ...bots.map((one) => one.name),
    ...audited.flatMap((one) => (one.kind === "bot" ? [one.name] : [])),
  ];
  if (dot > 0 && knownBots.includes(prefix)) return { kind: "behavior", bot: prefix, behavior: rest };
  if (audited.some((one) => one.kind === "session" && one.name === name)) return { kind: "session", id: name };
  const walkedBy = audited
    .filter(({ kind, stream }) => kind === "bot" && stream.passes.has(name))
    .map((one) => one.name);
  const [walker] = [...new Set(walkedBy)];
  return walker === undefined ? asWorkflow([name]) : { kind: "behavior", bot: walker, behavior: name };
}

/** Compares every required walk with the definitions, newest first. */
export async function judgeRequired(
  required: RequiredWalk,
  audited: readonly AuditedStream[],
  now: ExpectedWalks,
  observe: ObserveAgain,
  { versions = [], allowWaived = false, outcome = "done", known }: RequireRules = {},
): Promise<readonly JudgedWalk[]> {
  const judged: JudgedWalk[] = [];
  const added = await correctionChecks(required, audited);
  for (const one of audited.filter((stream) => isRequired(required, stream))) {
    const workflow = required.kind === "behavior" ? required.behavior : (one.stream.session?.workflow ?? "");
    const run =
      one.stream.runs.get(workflow) ?? (one.kind === "session" ? [...one.stream.runs.values()][0] : undefined);
    if (run === undefined) continue;
    const expectedWalk = async (from: ExpectedWalks): Promise<ExpectedWalk> =>
      required.kind === "behavior"
        ? from.ofBehavior(required.bot, required.behavior)
        : from.ofWorkflow(workflow, one.stream.session?.options ?? {});
    const { events, oldProblems } = await eventsSince(one, known);
    const walk: Walk = {
      workflow,
      run,
      events,
      called: one.kind === "bot" ? (name) => name : (name) => `phase ${name}`,
      approvals: one.approvals,
      observe: observeWalk(one, observe),
    };
    const measures: AcceptedDefinitions = {
      now: await expectedWalk(now),
      versions: await Promise.all(versions.map(expectedWalk)),
      added,
      outcome,
    };
    const held = await compareWalk(walk, measures);
    const items = await judgeItems(one, run, { audited, now, versions, observe, known, events, called: walk.called });
    const waived = [...held.steps.flatMap((step) => waivedLines(walk.called(step.step), step)), ...items.waived];
    const problems = [
      ...oldProblems(held.completions, walk.called),
      ...held.problems,
      ...items.problems,
      ...listProblems(one),
      ...(allowWaived ? [] : waived),
    ];
    const notes = [...held.notes, ...items.notes, ...(allowWaived ? waived : [])];
    judged.push({ ...held, problems, notes, stream: one, workflow, pass: run.pass, items: items.walks });
  }
  return judged.sort((a, b) => (changedAt(a.stream) < changedAt(b.stream) ? 1 : -1));
}

/** The exceptions that a comparison accepts: other versions of the definitions, and waived requirements. */
export type RequireRules = {
  readonly versions?: readonly ExpectedWalks[];
  readonly allowWaived?: boolean;
  /** The outcome that the walk must have ended with; `done` if left out. */
  readonly outcome?: string;
  /** The hashes of the base's records; what they completed does not count for a proposal. */
  readonly known?: ReadonlySet<string>;
};

function waivedLines(name: string, { waived = [] }: ComparedStep): readonly string[] {
  return waived.map(({ field, by, reason }) => `${name}: ${field} was waived by ${by}: "${reason}"`);
}

/** The walk with the fewest problems; the newest if several. */
export function bestWalk(walks: readonly JudgedWalk[]): JudgedWalk | undefined {
  return walks.toSorted((a, b) => a.problems.length - b.problems.length)[0];
}

function isRequired(required: RequiredWalk, { kind, name, stream }: AuditedStream): boolean {
  switch (required.kind) {
    case "behavior":
      return kind === "bot" && name === required.bot;
    case "session":
      return kind === "session" && name === required.id;
    case "workflow": {
      const { names, target } = required;
      if (stream.session?.item !== undefined) return false; // it proves for its parent
      const isOne = kind === "session" && names.includes(stream.session?.workflow ?? "");
      return isOne && (target === undefined || stream.session?.target === target);
    }
  }
}

/** The checks that approved corrections added to a bot's rules, oldest first. */
async function correctionChecks(
  required: RequiredWalk,
  audited: readonly AuditedStream[],
): Promise<readonly AddedCheck[]> {
  const added: AddedCheck[] = [];
  for (const stream of required.kind === "behavior" ? audited.filter((one) => isRequired(required, one)) : [])
    for (const event of await countedEvents(stream)) {
      const correction = event.type === "aside_completed" && event.word !== undefined ? event.correction : undefined;
      if (correction?.pattern !== undefined) added.push({ correction, at: event.at });
    }
  return added.sort((a, b) => (a.at < b.at ? -1 : 1));
}

function changedAt({ stream }: AuditedStream): string {
  return stream.session?.changedAt ?? stream.moves.at(-1)?.at ?? "";
}
