import { isSame } from "../../evidence/json.ts";
import type { Event } from "../../workflow/events.ts";
import { replay } from "../../workflow/replay.ts";
import type { AuditedDesk } from "../audit.ts";
import { deskName } from "../desk-name.ts";
import type { AttestationRead, WalkRead } from "./read-attestation.ts";
import { subjectsOf } from "./statement.ts";
import { type WalkAttested, walksAttested } from "./walk-attested.ts";

/** How an attestation stands to the histories: what speaks against it, what has changed since, and the walks as the record has them. */
export type AttestationHeld = {
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  readonly walks: readonly { readonly walk: WalkAttested; readonly desk: AuditedDesk }[];
};

/** Holds what an attestation states against the histories as they were when it was made. */
export async function compareAttestation(
  { statement: { predicate, subject } }: AttestationRead,
  audited: readonly AuditedDesk[],
): Promise<AttestationHeld> {
  const held = await Promise.all(predicate.walks.map((stated) => compareWalk(stated, audited)));
  const walks = held.flatMap(({ walk, desk }) => (walk === undefined || desk === undefined ? [] : [{ walk, desk }]));
  const onRecord = new Map(subjectsOf(walks.map(({ walk }) => walk)).map(({ name, digest }) => [name, digest.sha256]));
  const stated = new Map(subject.map(({ name, digest }) => [name, digest.sha256]));
  const isWhole = walks.length === held.length;
  const others = [...new Set([...onRecord.keys(), ...stated.keys()])].filter(
    (name) => onRecord.get(name) !== stated.get(name),
  );
  return {
    problems: [
      ...held.flatMap(({ problems }) => problems),
      ...(isWhole ? others.map((name) => subjectProblem(name, onRecord.get(name), stated.get(name))) : []),
    ],
    notes: held.flatMap(({ notes }) => notes),
    walks,
  };
}

function subjectProblem(name: string, recorded: string | undefined, stated: string | undefined): string {
  if (recorded === undefined) return `it speaks of ${name}, which is not on record`;
  if (stated === undefined) return `it leaves out ${name}, which is on record`;
  return `it has another hash of ${name} than the record`;
}

type WalkHeld = Omit<AttestationHeld, "walks"> & { readonly walk?: WalkAttested; readonly desk?: AuditedDesk };

async function compareWalk(stated: WalkRead, audited: readonly AuditedDesk[]): Promise<WalkHeld> {
  const { desk: id, history, workflow, pass } = stated;
  const called = `${workflow} in ${deskName({ kind: id.kind, name: id.name, ...(id.run === undefined ? {} : { run: id.run }) })}`;
  const desk = audited.find(({ kind, name, run }) => kind === id.kind && name === id.name && run === id.run);
  const problem = (text: string): WalkHeld => ({ problems: [text], notes: [] });
  if (desk === undefined) return problem(`${called}: there is no such history here`);
  const { journal } = desk;
  if (journal.first !== history.first || journal.hashes.get(history.seq) !== history.head)
    return problem(`${called}: the history here is not the one that was attested`);
  const then = await historyUpTo(desk, history.seq);
  const { first, head, seq } = history;
  const walks = walksAttested({ id: desk, first, head, seq, desk: replay(then), events: then });
  const walk = walks.find((one) => one.workflow === workflow && one.pass === pass);
  if (walk === undefined) return problem(`${called}: the history has no such walk`);
  const problems = differencesIn(walk, stated).map((text) => `${called}: ${text}`);
  return { problems, notes: changesSince(walk, desk).map((text) => `${called}: ${text}`), walk, desk };
}

async function historyUpTo({ kind, name, run, area }: AuditedDesk, last: number): Promise<readonly Event[]> {
  const all: Event[] = [];
  for await (const { seq, events } of area.log.records({ kind, name, ...(run === undefined ? {} : { run }) })) {
    if (seq > last) break;
    all.push(...events);
  }
  return all;
}

function differencesIn(walk: WalkAttested, { whole, steps }: WalkRead): readonly string[] {
  if (isSame(walk, whole)) return [];
  const others = [...new Set([...walk.steps, ...steps].map(({ step }) => step))].filter((name) => {
    const ours = walk.steps.filter(({ step }) => step === name);
    return !isSame(
      ours,
      steps.filter(({ step }) => step === name),
    );
  });
  return others.length === 0
    ? ["it is stated otherwise than the record has it"]
    : others.map((name) => `${String(name)} is stated otherwise than the record has it`);
}

/** What has become of attested steps since. */
function changesSince({ workflow, pass, steps }: WalkAttested, { desk }: AuditedDesk): readonly string[] {
  const now = desk.runs.get(workflow);
  if (now?.pass !== pass) return ["it has been begun anew since"];
  const others = steps.filter(({ step, status, attempt }) => {
    const state = now.steps.get(step);
    return status === "completed" && (state?.status !== "completed" || state.attempt !== attempt);
  });
  return others.map(({ step }) => `${step} has been gone back to since`);
}
