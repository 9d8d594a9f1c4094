import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seal } from "../audit/attest/envelope.ts";
import { stateWalks } from "../audit/attest/statement.ts";
import { type WalkAttested, walksAttested } from "../audit/attest/walk-attested.ts";
import { type AuditedDesk, eventsOf, problemsOf } from "../audit/audit.ts";
import { deskName } from "../audit/desk-name.ts";
import { version } from "../version.ts";
import { UserFault } from "./fault.ts";
import { plain, print, printJson } from "./print.ts";

export type AttestationAsked = {
  /** The workflow whose walks are attested; true for all. */
  readonly attestation: string | true;
  readonly target: string | undefined;
  /** A private key; undefined for a statement that somebody else signs. */
  readonly key: string | undefined;
  readonly out: string;
  readonly isData: boolean;
};

/** Writes what is on record as an attestation: a signed envelope, or the bare statement. */
export async function exportAttestation(desks: readonly AuditedDesk[], asked: AttestationAsked): Promise<void> {
  const { key, out, isData } = asked;
  const walks = (await Promise.all(desks.map((desk) => walksOf(desk, asked)))).flat();
  if (walks.length === 0) throw new UserFault("There is no such walk on record: there is nothing to attest.");
  const statement = stateWalks(walks, version, new Date());
  const attestation = key === undefined ? statement : seal(JSON.stringify(statement), key);
  if (isData) return printJson(attestation);
  mkdirSync(out, { recursive: true });
  const file = join(out, key === undefined ? "statement.json" : "attestation.json");
  writeFileSync(file, `${JSON.stringify(attestation, null, 2)}\n`);
  print(
    `Wrote ${file}: ${key === undefined ? "a statement, not signed" : "a signed statement"} of ${statement.subject.length} subject(s).`,
    ...walks.map(({ workflow, desk, finished, steps }) => {
      const done = steps.filter(({ status }) => status === "completed").length;
      return `  ${plain(workflow)} in ${deskName(desk)}: ${done} step(s) completed${finished ? "" : ", not finished"}`;
    }),
  );
}

async function walksOf(
  desk: AuditedDesk,
  { attestation: name, target }: AttestationAsked,
): Promise<readonly WalkAttested[]> {
  const { journal } = desk;
  if (journal.first === null) return [];
  const { first, head, seq } = journal;
  const isMeant = ({ workflow, target: of }: WalkAttested): boolean =>
    (name === true || [workflow, `${desk.name}.${workflow}`, desk.name].includes(name)) &&
    (target === undefined || of === target);
  const walks = walksAttested({ id: desk, first, head, seq, desk: desk.desk, events: await eventsOf(desk) }).filter(
    isMeant,
  );
  if (walks.length > 0 && problemsOf(desk).length > 0)
    throw new UserFault(`Not attested: the history of ${deskName(desk)} is not whole. waymark verify says why.`);
  return walks;
}
