import type { FileAttested, WalkAttested } from "./walk-attested.ts";

/** What an attestation says of files, as in-toto has it (Statement, version 1). */
export type Statement = {
  readonly _type: typeof statementType;
  readonly subject: readonly Subject[];
  readonly predicateType: typeof predicateType;
  readonly predicate: {
    readonly waymark: string;
    readonly exported_at: string;
    readonly walks: readonly WalkAttested[];
  };
};

/** A file, named by its path in the project area. */
export type Subject = { readonly name: string; readonly digest: { readonly sha256: string } };

export const statementType = "https://in-toto.io/Statement/v1";

export const predicateType = "urn:waymark:walk:v1";

/** States what walks rest on: of the files that they put on record. */
export function stateWalks(walks: readonly WalkAttested[], waymark: string, now: Date): Statement {
  return {
    _type: statementType,
    subject: subjectsOf(walks),
    predicateType,
    predicate: { waymark, exported_at: now.toISOString(), walks },
  };
}

/** The files that walks have on record, each as it was handed in last; where there are none, the histories themselves. */
export function subjectsOf(walks: readonly WalkAttested[]): readonly Subject[] {
  const files = filesOf(walks);
  if (files.length > 0) return files.map(({ path, sha256 }) => ({ name: path, digest: { sha256 } }));
  return walks.map(({ desk: { name, run }, workflow, history: { head, seq } }) => ({
    name: `history:${[name, ...(run === undefined ? [] : [run]), workflow].join("/")}#${seq}`,
    digest: { sha256: head },
  }));
}

/** The newest record of each path. */
export function filesOf(walks: readonly WalkAttested[]): readonly FileAttested[] {
  const handedIn = walks.flatMap(({ steps }) =>
    steps.flatMap(({ at = "", files = [] }) => files.map((file) => ({ at, file }))),
  );
  const inTime = handedIn.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return [...new Map(inTime.map(({ file }) => [file.path, file])).values()].toSorted((a, b) =>
    a.path < b.path ? -1 : 1,
  );
}
