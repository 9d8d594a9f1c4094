import type { AttestedFile, AttestedWalk } from "./attested-walk.ts";

/** An in-toto statement (version 1). */
export type AttestationStatement = {
  readonly _type: typeof statementType;
  readonly subject: readonly Subject[];
  readonly predicateType: typeof predicateType;
  readonly predicate: {
    readonly waymark: string;
    readonly exported_at: string;
    readonly walks: readonly AttestedWalk[];
  };
};

/** A file, named by its path in the project area. */
export type Subject = { readonly name: string; readonly digest: { readonly sha256: string } };

export const statementType = "https://in-toto.io/Statement/v1";

export const predicateType = "urn:waymark:walk:v1";

/** Builds a statement about walks and the files they recorded. */
export function stateWalks(walks: readonly AttestedWalk[], waymark: string, now: Date): AttestationStatement {
  return {
    _type: statementType,
    subject: subjectsOf(walks),
    predicateType,
    predicate: { waymark, exported_at: now.toISOString(), walks },
  };
}

/** The files that walks recorded, each in its latest submission; the histories themselves if there are none. */
export function subjectsOf(walks: readonly AttestedWalk[]): readonly Subject[] {
  const files = filesOf(walks);
  if (files.length > 0) return files.map(({ path, sha256 }) => ({ name: path, digest: { sha256 } }));
  return walks.map(({ desk: { name, run }, workflow, history: { head, seq } }) => ({
    name: `history:${[name, ...(run === undefined ? [] : [run]), workflow].join("/")}#${seq}`,
    digest: { sha256: head },
  }));
}

/** The newest record of each path. */
export function filesOf(walks: readonly AttestedWalk[]): readonly AttestedFile[] {
  const submitted = walks.flatMap(({ steps }) =>
    steps.flatMap(({ at = "", files = [] }) => files.map((file) => ({ at, file }))),
  );
  const inTime = submitted.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return [...new Map(inTime.map(({ file }) => [file.path, file])).values()].toSorted((a, b) =>
    a.path < b.path ? -1 : 1,
  );
}
