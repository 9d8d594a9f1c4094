import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stateWalks } from "../../audit/attest/attestation-statement.ts";
import { type AttestedWalk, attestedWalks } from "../../audit/attest/attested-walk.ts";
import { seal } from "../../audit/attest/envelope.ts";
import { type AuditedStream, countedEvents, listProblems } from "../../audit/audit-streams.ts";
import { countText } from "../../kit/count-text.ts";
import { version } from "../../version.ts";
import { streamName } from "../../workflow/stream-id.ts";
import { oneLine, print, printJson } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";

export type AttestationOptions = {
  /** The workflow to attest, or true for all. */
  readonly attestation: string | true;
  readonly target: string | undefined;
  /** A private key, or undefined for an unsigned statement. */
  readonly key: string | undefined;
  readonly out: string;
  readonly isData: boolean;
};

/** Writes the recorded walks as an attestation: a signed envelope or a bare statement. */
export async function exportAttestation(streams: readonly AuditedStream[], asked: AttestationOptions): Promise<void> {
  const { key, out, isData } = asked;
  const walks = (await Promise.all(streams.map((stream) => selectWalks(stream, asked)))).flat();
  if (walks.length === 0) throw new UserError("No such run is recorded, so there is nothing to attest.");
  const statement = stateWalks(walks, version, new Date());
  const attestation = key === undefined ? statement : seal(JSON.stringify(statement), key);
  if (isData) return printJson(attestation);
  mkdirSync(out, { recursive: true });
  const file = join(out, key === undefined ? "statement.json" : "attestation.json");
  writeFileSync(file, `${JSON.stringify(attestation, null, 2)}\n`);
  print(
    `Wrote ${file}: ${key === undefined ? "an unsigned statement" : "a signed statement"} of ${countText(statement.subject.length, "subject")}.`,
    ...walks.map(({ workflow, desk: stream, finished, steps }) => {
      const done = steps.filter(({ status }) => status === "completed").length;
      return `  ${oneLine(workflow)} in ${streamName(stream)}: ${countText(done, "step")} completed${finished ? "" : ", not finished"}`;
    }),
  );
}

async function selectWalks(
  stream: AuditedStream,
  { attestation: name, target }: AttestationOptions,
): Promise<readonly AttestedWalk[]> {
  const { journal } = stream;
  if (journal.first === null) return [];
  const { first, head, seq } = journal;
  const isMeant = ({ workflow, target: of }: AttestedWalk): boolean =>
    (name === true || [workflow, `${stream.name}.${workflow}`, stream.name].includes(name)) &&
    (target === undefined || of === target);
  const walks = attestedWalks({
    id: stream,
    first,
    head,
    seq,
    stream: stream.stream,
    events: await countedEvents(stream),
  }).filter(isMeant);
  if (walks.length > 0 && listProblems(stream).length > 0)
    throw new UserError(
      `Not attested: the history of ${streamName(stream)} is broken. Run waymark verify for details.`,
    );
  return walks;
}
