import { readFileSync, statSync } from "node:fs";
import { compareAttestation } from "../audit/attest/compare-attestation.ts";
import { checkSeal, type SealVerdict } from "../audit/attest/envelope.ts";
import { readAttestation } from "../audit/attest/read-attestation.ts";
import type { AuditedDesk } from "../audit/audit.ts";
import { type FileFound, lookAtFiles } from "../compose-attestation.ts";
import { UserFault } from "./fault.ts";
import { paint, plain, print } from "./print.ts";

/** What reading an attestation back came to. */
export type AttestationVerdict = {
  readonly file: string;
  readonly holds: boolean;
  readonly signature: SealVerdict | "not signed";
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  readonly files: readonly FileFound[];
};

/** Holds an attestation against the keys that are given, the histories, and the files as they are. */
export async function verifyAttestation(
  file: string,
  publicKeys: readonly string[],
  audited: readonly AuditedDesk[],
): Promise<AttestationVerdict> {
  const read = readAttestation(textOf(file));
  if ("problem" in read) throw new UserFault(`${file} cannot be read back: ${plain(read.problem)}.`);
  const signature = read.envelope === undefined ? "not signed" : checkSeal(read.envelope, publicKeys);
  const { problems: others, notes, walks } = await compareAttestation(read, audited);
  const files = await lookAtFiles(walks);
  const unsigned = aboutSignature(signature, publicKeys.length > 0);
  const problems = [...unsigned.problems, ...others, ...files.flatMap(fileProblem)];
  return { file, holds: problems.length === 0, signature, problems, notes: [...unsigned.notes, ...notes], files };
}

function textOf(file: string): string {
  try {
    if (statSync(file).size > mostBytes) throw new UserFault(`${file} is too large for an attestation.`);
    return readFileSync(file, "utf8");
  } catch (error) {
    throw error instanceof UserFault ? error : new UserFault(`${file} cannot be read.`);
  }
}

const mostBytes = 64 << 20;

/** Whoever gives a key wants it signed by that one. */
function aboutSignature(verdict: AttestationVerdict["signature"], hasKeys: boolean) {
  const said = {
    holds: [],
    "not signed": ["it is not signed"],
    "bad signature": ["its signature is not of what it says"],
    "unknown key": [
      hasKeys
        ? "it is signed with none of the keys that were given"
        : "no key was given: its signature was not checked",
    ],
  }[verdict];
  return hasKeys ? { problems: said, notes: [] } : { problems: [], notes: said };
}

function fileProblem({ path, verdict }: FileFound): readonly string[] {
  if (verdict === "same") return [];
  return [verdict === "missing" ? `${path} is gone` : `${path} is not the file that was attested`];
}

/** Says what it came to. */
export function printAttestation({ file, holds, signature, problems, notes, files }: AttestationVerdict): void {
  const mark = holds ? paint("green", "✓") : paint("red", "✗");
  print("", `${mark} attestation ${plain(file)}: signature ${signature}, ${files.length} file(s) looked at`);
  for (const problem of problems) print(paint("red", `    ${plain(problem)}`));
  for (const note of notes) print(paint("dim", `    note: ${plain(note)}`));
}
