import { defined } from "../../kit/defined.ts";
import { isSame } from "../../kit/json.ts";
import type { Event } from "../../workflow/events.ts";
import { replay } from "../../workflow/replay.ts";
import { streamName } from "../../workflow/stream-id.ts";
import type { AuditedStream } from "../audit-streams.ts";
import { subjectsOf } from "./attestation-statement.ts";
import { type AttestedWalk, attestedWalks } from "./attested-walk.ts";
import type { ParsedAttestation, ParsedWalk } from "./read-attestation.ts";

/** The result of comparing an attestation with the histories: problems, changes since, and the walks on record. */
export type AttestationComparison = {
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  readonly walks: readonly { readonly walk: AttestedWalk; readonly stream: AuditedStream }[];
};

/** Compares an attestation with the histories as they were when it was made. */
export async function compareAttestation(
  { statement: { predicate, subject } }: ParsedAttestation,
  audited: readonly AuditedStream[],
): Promise<AttestationComparison> {
  const held = await Promise.all(predicate.walks.map((stated) => compareAttestedWalk(stated, audited)));
  const walks = held.flatMap(({ walk, stream }) =>
    walk === undefined || stream === undefined ? [] : [{ walk, stream }],
  );
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
  if (recorded === undefined) return `it names ${name}, which is not on record`;
  if (stated === undefined) return `it leaves out ${name}, which is on record`;
  return `its hash of ${name} differs from the record`;
}

type WalkComparison = Omit<AttestationComparison, "walks"> & {
  readonly walk?: AttestedWalk;
  readonly stream?: AuditedStream;
};

async function compareAttestedWalk(stated: ParsedWalk, audited: readonly AuditedStream[]): Promise<WalkComparison> {
  const { desk: id, history, workflow, pass } = stated;
  const called = `${workflow} in ${streamName({ kind: id.kind, name: id.name, ...defined({ run: id.run }) })}`;
  const stream = audited.find(({ kind, name, run }) => kind === id.kind && name === id.name && run === id.run);
  const problem = (text: string): WalkComparison => ({ problems: [text], notes: [] });
  if (stream === undefined) return problem(`${called}: no such history here`);
  const { journal } = stream;
  if (journal.first !== history.first || journal.hashes.get(history.seq) !== history.head)
    return problem(`${called}: this is not the history that was attested`);
  const then = await historyUpTo(stream, history.seq);
  const { first, head, seq } = history;
  const walks = attestedWalks({ id: stream, first, head, seq, stream: replay(then), events: then });
  const walk = walks.find((one) => one.workflow === workflow && one.pass === pass);
  if (walk === undefined) return problem(`${called}: the history has no such run`);
  const problems = differencesIn(walk, stated).map((text) => `${called}: ${text}`);
  return { problems, notes: changesSince(walk, stream).map((text) => `${called}: ${text}`), walk, stream };
}

async function historyUpTo({ kind, name, run, area }: AuditedStream, last: number): Promise<readonly Event[]> {
  const all: Event[] = [];
  for await (const { seq, events } of area.log.records({ kind, name, ...defined({ run }) })) {
    if (seq > last) break;
    all.push(...events);
  }
  return all;
}

function differencesIn(walk: AttestedWalk, { whole, steps }: ParsedWalk): readonly string[] {
  if (isSame(walk, whole)) return [];
  const others = [...new Set([...walk.steps, ...steps].map(({ step }) => step))].filter((name) => {
    const ours = walk.steps.filter(({ step }) => step === name);
    return !isSame(
      ours,
      steps.filter(({ step }) => step === name),
    );
  });
  return others.length === 0
    ? ["it differs from the record"]
    : others.map((name) => `${String(name)} differs from the record`);
}

/** Lists what has changed in attested steps since. */
function changesSince({ workflow, pass, steps }: AttestedWalk, { stream }: AuditedStream): readonly string[] {
  const now = stream.runs.get(workflow);
  if (now?.pass !== pass) return ["it has been restarted since"];
  const others = steps.filter(({ step, status, attempt }) => {
    const state = now.steps.get(step);
    return status === "completed" && (state?.status !== "completed" || state.attempt !== attempt);
  });
  return others.map(({ step }) => `${step} has been reopened since`);
}
