import { resolve } from "node:path";
import type { AttestationHeld } from "./audit/attest/compare-attestation.ts";
import { filesOf } from "./audit/attest/statement.ts";
import { hashOfPlain } from "./checks/files/file-hash.ts";
import { runPlaces } from "./repository/run-places.ts";

/** A file that was attested, and what stands at its path now. */
export type FileFound = { readonly path: string; readonly verdict: "same" | "changed" | "missing" };

/** Looks at the files that walks have on record, each where its walk has its files. */
export async function lookAtFiles(walks: AttestationHeld["walks"]): Promise<readonly FileFound[]> {
  const places = runPlaces();
  const found: FileFound[] = [];
  for (const { path, sha256 } of filesOf(walks.map(({ walk }) => walk))) {
    const holder = walks.find(({ walk }) =>
      walk.steps.some(({ files = [] }) => files.some((file) => file.path === path && file.sha256 === sha256)),
    );
    if (holder === undefined) continue;
    const { area, run, desk } = holder.desk;
    const hash = await hashOfPlain((await places.of(resolve(area.area), run ?? desk.session?.run)).area, path);
    found.push({ path, verdict: hash === sha256 ? "same" : hash === undefined ? "missing" : "changed" });
  }
  return found;
}
