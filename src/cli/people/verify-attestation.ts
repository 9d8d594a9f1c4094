import { readFileSync, statSync } from "node:fs";
import { type AttestedFile, compareAttestedFiles } from "../../app/attested-files.ts";
import { compareAttestation } from "../../audit/attest/compare-attestation.ts";
import { checkSeal, type SealVerdict } from "../../audit/attest/envelope.ts";
import { readAttestation } from "../../audit/attest/read-attestation.ts";
import type { AuditedStream } from "../../audit/audit-streams.ts";
import { countText } from "../../kit/count-text.ts";
import { oneLine, paint, print } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";

/** The result of verifying an attestation. */
export type AttestationVerdict = {
  readonly file: string;
  readonly holds: boolean;
  readonly signature: SealVerdict | "not signed";
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  readonly files: readonly AttestedFile[];
};

/** Verifies an attestation against keys, histories and the current files. */
export async function verifyAttestation(
  file: string,
  publicKeys: readonly string[],
  audited: readonly AuditedStream[],
): Promise<AttestationVerdict> {
  const read = readAttestation(readText(file));
  if ("problem" in read) throw new UserError(`${file} cannot be verified: ${oneLine(read.problem)}.`);
  const signature = read.envelope === undefined ? "not signed" : checkSeal(read.envelope, publicKeys);
  const { problems: others, notes, walks } = await compareAttestation(read, audited);
  const files = await compareAttestedFiles(walks);
  const unsigned = signatureNotes(signature, publicKeys.length > 0);
  const problems = [...unsigned.problems, ...others, ...files.flatMap(fileProblem)];
  return { file, holds: problems.length === 0, signature, problems, notes: [...unsigned.notes, ...notes], files };
}

function readText(file: string): string {
  try {
    if (statSync(file).size > mostBytes) throw new UserError(`${file} is too large for an attestation.`);
    return readFileSync(file, "utf8");
  } catch (error) {
    throw error instanceof UserError ? error : new UserError(`${file} cannot be read.`);
  }
}

const mostBytes = 64 << 20;

/** Describes the signature; with keys given, one of them must have signed. */
function signatureNotes(verdict: AttestationVerdict["signature"], hasKeys: boolean) {
  const said = {
    holds: [],
    "not signed": ["it is not signed"],
    "bad signature": ["its signature does not match its content"],
    "unknown key": [
      hasKeys
        ? "it is not signed with any of the given keys"
        : "its signature was not checked, because no key was given",
    ],
  }[verdict];
  return hasKeys ? { problems: said, notes: [] } : { problems: [], notes: said };
}

function fileProblem({ path, verdict }: AttestedFile): readonly string[] {
  if (verdict === "same") return [];
  return [verdict === "missing" ? `${path} does not exist` : `${path} is not the file that was attested`];
}

/** Prints the result of verifying an attestation. */
export function printAttestation({ file, holds, signature, problems, notes, files }: AttestationVerdict): void {
  const mark = holds ? paint("green", "✓") : paint("red", "✗");
  print(
    "",
    `${mark} attestation ${oneLine(file)}: signature ${signature}, ${countText(files.length, "file")} compared`,
  );
  for (const problem of problems) print(paint("red", `    ${oneLine(problem)}`));
  for (const note of notes) print(paint("dim", `    note: ${oneLine(note)}`));
}
