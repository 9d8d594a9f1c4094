import { join } from "node:path";
import type { Person } from "./evidence/approval.ts";
import { nameOf } from "./evidence/check-verdict.ts";
import { realPathOrNamed } from "./paths/real-path.ts";
import type { Approver } from "./people/approver.ts";
import { readApprovers } from "./people/approvers-file.ts";
import { isProved } from "./people/proof.ts";
import type { Signed } from "./people/statement.ts";
import { type ApproverDecided, openTrusted, type TrustedApprovers, wordOn } from "./people/trusted.ts";
import { runPlaces } from "./repository/run-places.ts";
import { openMachine, stateFolder } from "./stores/file/belief/machine.ts";
import { sealedFile } from "./stores/file/belief/sealed-file.ts";

/** Somebody whom the definitions name, and what a person has said to that on this machine. */
export type ApproverListed = {
  readonly approver: Approver;
  /** The definitions folder that they are named in; its work trees are one. */
  readonly place: string;
  readonly trusted: boolean;
  readonly said?: ApproverDecided;
};

/** Where approvers are looked for, and the areas in which an assistant writes. */
export type PeoplePlaces = { readonly definitions: string; readonly areas: readonly string[] };

/** Everybody whom the definitions name, or why that cannot be told. */
export async function listApprovers({
  definitions,
  areas,
}: PeoplePlaces): Promise<readonly ApproverListed[] | { readonly problem: string }> {
  const approvers = await readApprovers(definitions);
  if ("problem" in approvers) return approvers;
  if (approvers.length === 0) return [];
  const place = await realPathOrNamed(await runPlaces().inMain(definitions));
  const decided = await trustedHere(areas).decided(place);
  return approvers.map((approver) => {
    const said = wordOn(decided, approver);
    return { approver, place, trusted: said?.word === "yes", ...(said === undefined ? {} : { said }) };
  });
}

/** Who proves a statement: the definitions name them, a person has trusted that on this machine, and their key has signed it. */
export async function proverOf(places: PeoplePlaces, signed: Signed): Promise<Person | { readonly problem: string }> {
  const listed = await listApprovers(places);
  if ("problem" in listed) return listed;
  const { key } = signed.proof;
  const found = listed.find(({ approver }) => approver.key === key);
  if (found === undefined) return { problem: `approvers.json names no key ${key.slice(0, 16)}…` };
  const { approver, trusted } = found;
  const { name } = approver;
  if (!trusted)
    return { problem: `nobody has trusted the key of ${name} on this machine yet: run waymark trust at a terminal` };
  const proved = isProved(signed, approver);
  return proved === true ? { name, key } : { problem: proved };
}

/** Whom a person trusts on this machine. What lies where an assistant writes is nobody's word. */
export function trustedHere(areas: readonly string[]): TrustedApprovers {
  const machine = openMachine();
  const fileOf = (place: string) => sealedFile(join("trusted", `approvers-${nameOf(place)}`), machine);
  if (areas.every(machine.isOutside))
    return openTrusted({
      read: (place) => fileOf(place).read(),
      write: (place, text) => fileOf(place).write(text),
    });
  return {
    decided: async () => [],
    decide: () => Promise.reject(new Error(`Nothing is kept in ${stateFolder()}: it lies in the project area.`)),
  };
}
