import { join } from "node:path";
import type { Person } from "../gates/approval-rule.ts";
import type { Decision, SignedStatement } from "../gates/approval-statement.ts";
import { canonicalText } from "../gates/check-verdict.ts";
import { defined } from "../kit/defined.ts";
import { realPathOrSame } from "../kit/real-path.ts";
import type { Approver } from "../people/approver.ts";
import { readApprovers } from "../people/approvers-file.ts";
import {
  type ApproverDecision,
  decisionOn,
  openTrustedApprovers,
  type TrustedApprovers,
} from "../people/trusted-approvers.ts";
import { verifyProof } from "../people/verify-proof.ts";
import { findRunFolders } from "../repository/run-folders.ts";
import { openMachineState, stateFolder } from "../stores/file/trust/machine-state.ts";
import { sealedFile } from "../stores/file/trust/sealed-file.ts";

/** An approver that the definitions name, and the trust decision on this machine. */
export type ListedApprover = {
  readonly approver: Approver;
  /** The definitions folder that names them, the same for all its worktrees. */
  readonly place: string;
  readonly trusted: boolean;
  readonly said?: ApproverDecision;
};

/** The definitions folder, and the areas in which an assistant writes. */
export type PeoplePlaces = { readonly definitions: string; readonly areas: readonly string[] };

/** Lists the approvers that the definitions name, or says why it cannot. */
export async function listApprovers({
  definitions,
  areas,
}: PeoplePlaces): Promise<readonly ListedApprover[] | { readonly problem: string }> {
  const approvers = await readApprovers(definitions);
  if ("problem" in approvers) return approvers;
  if (approvers.length === 0) return [];
  const place = await realPathOrSame(await findRunFolders().inMain(definitions));
  const decided = await machineTrustedApprovers(areas).decided(place);
  return approvers.map((approver) => {
    const said = decisionOn(decided, approver);
    return { approver, place, trusted: said?.word === "yes", ...defined({ said }) };
  });
}

/** Finds the person who proves a statement: named by the definitions, trusted on this machine, and the signer. */
export async function findSigner(
  places: PeoplePlaces,
  signed: SignedStatement<Decision>,
): Promise<Person | { readonly problem: string }> {
  const listed = await listApprovers(places);
  if ("problem" in listed) return listed;
  const { key } = signed.proof;
  const found = listed.find(({ approver }) => approver.key === key);
  if (found === undefined) return { problem: `approvers.json names no key ${key.slice(0, 16)}…` };
  const { approver, trusted } = found;
  const { name } = approver;
  if (!trusted)
    return { problem: `the key of ${name} is not trusted on this machine yet: run waymark trust in a terminal` };
  const proved = verifyProof(signed, approver);
  return proved === true ? { name, key } : { problem: proved };
}

/** The approvers trusted on this machine. Files where an assistant writes are never trusted. */
export function machineTrustedApprovers(areas: readonly string[]): TrustedApprovers {
  const machine = openMachineState();
  const fileOf = (place: string) => sealedFile(join("trusted", `approvers-${canonicalText(place)}`), machine);
  if (areas.every(machine.isOutside))
    return openTrustedApprovers({
      read: (place) => fileOf(place).read(),
      write: (place, text) => fileOf(place).write(text),
    });
  return {
    decided: async () => [],
    decide: () => Promise.reject(new Error(`Nothing can be kept in ${stateFolder()}: it is inside the project area.`)),
  };
}
