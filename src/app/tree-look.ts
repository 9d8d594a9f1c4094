import type { TreeLook } from "../audit/compare-tree.ts";
import { hashOfPlain } from "../checks/files/read-plain.ts";
import type { Checks, Proof } from "../engine/ports/checks.ts";
import { findRunFolders } from "../repository/run-folders.ts";
import { lazyChecks } from "./wire-checks.ts";

/** Looks at the files of walks, each in its own work tree; runs nothing. */
export function lookAtTree(definitions: string): TreeLook & { close(): void } {
  const places = findRunFolders();
  const opened = new Map<string, Checks>();
  return {
    hashAt: async ({ area, run, stream }, { path, bytes }) =>
      hashOfPlain((await places.of(area.area, run ?? stream.session?.run)).area, path, bytes),
    async staleChecks({ stream: { area, run, stream }, workflow, judged }) {
      const place = await places.of(area.area, run ?? stream.session?.run);
      const checks = opened.get(place.area) ?? lazyChecks(place, definitions);
      opened.set(place.area, checks);
      const proofs = judged.flatMap(({ step, gate, recorded }) =>
        (gate.checks ?? []).flatMap((check): readonly Proof[] => {
          const result = recorded.find(({ name, status }) => name === check.name && status === "passed");
          return result === undefined ? [] : [{ workflow, step, check, result }];
        }),
      );
      return (await checks.stale(proofs)).map(({ proof }) => ({ step: proof.step, name: proof.check.name }));
    },
    close() {
      for (const checks of opened.values()) checks.close();
    },
  };
}
