import { resolve } from "node:path";
import { filesOf } from "../audit/attest/attestation-statement.ts";
import type { AttestationComparison } from "../audit/attest/compare-attestation.ts";
import { hashOfPlain } from "../checks/files/read-plain.ts";
import { findRunFolders } from "../repository/run-folders.ts";

/** An attested file, compared with the file at its path now. */
export type AttestedFile = { readonly path: string; readonly verdict: "same" | "changed" | "missing" };

/** Compares the files that walks have on record, each in its walk's own work tree. */
export async function compareAttestedFiles(walks: AttestationComparison["walks"]): Promise<readonly AttestedFile[]> {
  const places = findRunFolders();
  const found: AttestedFile[] = [];
  for (const { path, sha256 } of filesOf(walks.map(({ walk }) => walk))) {
    const holder = walks.find(({ walk }) =>
      walk.steps.some(({ files = [] }) => files.some((file) => file.path === path && file.sha256 === sha256)),
    );
    if (holder === undefined) continue;
    const { area, run, stream } = holder.stream;
    const hash = await hashOfPlain((await places.of(resolve(area.area), run ?? stream.session?.run)).area, path);
    found.push({ path, verdict: hash === sha256 ? "same" : hash === undefined ? "missing" : "changed" });
  }
  return found;
}
