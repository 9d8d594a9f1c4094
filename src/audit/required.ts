import type { WorkflowListed } from "../engine/phased-ports.ts";
import { looksOutside } from "../evidence/gate.ts";
import type { JsonObject } from "../evidence/json.ts";
import type { AddedCheck } from "../evidence/rules-meaning.ts";
import { type AuditedDesk, eventsOf, problemsOf } from "./audit.ts";
import { type HeldWalk, holdWalk, type Measures, type Walk } from "./hold-walk.ts";
import type { Completed, ObserveCompleted } from "./judged-as-defined.ts";
import type { Yardstick } from "./yardstick.ts";

/** What is demanded: a phased workflow, perhaps for one target, one session, or a bot's behavior. */
export type Required =
  | { readonly kind: "workflow"; readonly names: readonly string[]; readonly target: string | undefined }
  | { readonly kind: "session"; readonly id: string }
  | { readonly kind: "behavior"; readonly bot: string; readonly behavior: string };

/** What is defined, as far as names go. */
export type NamesDefined = {
  readonly bots: readonly { readonly name: string; readonly behaviors: readonly string[] }[];
  readonly workflows: readonly WorkflowListed[];
};

/** What definitions say of what is demanded; some version of them, or as they stand. */
export type Yardsticks = {
  ofBehavior(bot: string, behavior: string): Yardstick;
  ofWorkflow(type: string, options: JsonObject): Yardstick;
};

/** A walk of what is demanded, held against the definitions. */
export type JudgedWalk = HeldWalk & { readonly desk: AuditedDesk; readonly workflow: string; readonly pass: number };

/** Finds out what a name demands, by the definitions and, where they have it no longer, by what is on record; or why that cannot be said. */
export function whatIsRequired(
  name: string,
  target: string | undefined,
  { bots, workflows }: NamesDefined,
  audited: readonly AuditedDesk[],
): Required | { readonly unclear: string } {
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
  const asWorkflow = (names: readonly string[]): Required => ({ kind: "workflow", names, target });
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
  const walkedBy = audited.filter(({ kind, desk }) => kind === "bot" && desk.passes.has(name)).map((one) => one.name);
  const [walker] = [...new Set(walkedBy)];
  return walker === undefined ? asWorkflow([name]) : { kind: "behavior", bot: walker, behavior: name };
}

/** Looks again, where a walk has its files, at what a gate wants to know of the outside about a completion; what nobody can tell now is left out. */
export type ObserveAgain = (desk: AuditedDesk, ...asked: Parameters<ObserveCompleted>) => ReturnType<ObserveCompleted>;

/** Holds every walk of what is demanded against the definitions; the newest first. */
export async function judgeRequired(
  required: Required,
  audited: readonly AuditedDesk[],
  now: Yardsticks,
  observe: ObserveAgain,
  versions: readonly Yardsticks[] = [],
): Promise<readonly JudgedWalk[]> {
  const judged: JudgedWalk[] = [];
  const added = await addedTo(required, audited);
  for (const one of audited.filter((desk) => isMeant(required, desk))) {
    const workflow = required.kind === "behavior" ? required.behavior : (one.desk.session?.workflow ?? "");
    const run = one.desk.runs.get(workflow) ?? (one.kind === "session" ? [...one.desk.runs.values()][0] : undefined);
    if (run === undefined) continue;
    const yardstick = (from: Yardsticks): Yardstick =>
      required.kind === "behavior"
        ? from.ofBehavior(required.bot, required.behavior)
        : from.ofWorkflow(workflow, one.desk.session?.options ?? {});
    const walk: Walk = {
      workflow,
      run,
      events: await eventsOf(one),
      called: one.kind === "bot" ? (name) => name : (name) => `phase ${name}`,
      approvals: one.approvals,
      observe: onceFor((gate, completed) =>
        looksOutside(gate) ? observe(one, gate, completed) : Promise.resolve(new Map()),
      ),
    };
    const measures: Measures = {
      now: yardstick(now),
      versions: versions.map(yardstick),
      added,
    };
    const held = await holdWalk(walk, measures);
    judged.push({ ...held, problems: [...held.problems, ...problemsOf(one)], desk: one, workflow, pass: run.pass });
  }
  return judged.sort((a, b) => (changedAt(a.desk) < changedAt(b.desk) ? 1 : -1));
}

/** The walk that least speaks against; of several the newest. */
export function nearest(walks: readonly JudgedWalk[]): JudgedWalk | undefined {
  return walks.toSorted((a, b) => a.problems.length - b.problems.length)[0];
}

/** A completion is held against every version of the definitions, and looked at once: whichever has its gate asks the same. */
function onceFor(observe: ObserveCompleted): ObserveCompleted {
  const known = new Map<Completed, ReturnType<ObserveCompleted>>();
  return (gate, completed) => {
    const found = known.get(completed) ?? observe(gate, completed);
    known.set(completed, found);
    return found;
  };
}

function isMeant(required: Required, { kind, name, desk }: AuditedDesk): boolean {
  switch (required.kind) {
    case "behavior":
      return kind === "bot" && name === required.bot;
    case "session":
      return kind === "session" && name === required.id;
    case "workflow": {
      const { names, target } = required;
      const isOne = kind === "session" && names.includes(desk.session?.workflow ?? "");
      return isOne && (target === undefined || desk.session?.target === target);
    }
  }
}

/** The checks that corrections on a person's word have added to the rules of a bot, oldest first. */
async function addedTo(required: Required, audited: readonly AuditedDesk[]): Promise<readonly AddedCheck[]> {
  const added: AddedCheck[] = [];
  for (const desk of required.kind === "behavior" ? audited.filter((one) => isMeant(required, one)) : [])
    for (const event of await eventsOf(desk)) {
      const correction = event.type === "aside_completed" && event.word !== undefined ? event.correction : undefined;
      if (correction?.pattern !== undefined) added.push({ correction, at: event.at });
    }
  return added.sort((a, b) => (a.at < b.at ? -1 : 1));
}

function changedAt({ desk }: AuditedDesk): string {
  return desk.session?.changedAt ?? desk.moves.at(-1)?.at ?? "";
}
