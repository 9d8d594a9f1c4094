import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readPhased } from "../../src/definitions/phases/read-phased.ts";
import { workflowLocations } from "../../src/definitions/phases/workflow-locations.ts";
import { filesOf } from "../../src/definitions/snapshot/files-of.testing.ts";
import type { Gate } from "../../src/gates/gate.ts";
import { gateMeaning } from "../../src/gates/gate-meaning.ts";
import { canonical } from "../../src/kit/json.ts";
import { writeGates } from "../../src/lint/show/write-gates.ts";

const folders = [
  join(import.meta.dirname, "fixtures/definitions"),
  join(import.meta.dirname, "../../templates/test-generation"),
];
const workflows = folders.flatMap((folder) =>
  workflowLocations(filesOf(folder)).places.map(({ type }) => [type, folder] as const),
);

function copyOf(folder: string): string {
  const root = mkdtempSync(join(tmpdir(), "waymark-write-gates-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(folder, join(root, "definitions"), { recursive: true });
  return join(root, "definitions");
}

/** What a gate asks for, wherever that is written. */
function meaning({ requirements, comparisons, approval, examples }: Gate): unknown {
  const bare = <T extends { readonly source?: unknown }>({ source: _, ...one }: T): Omit<T, "source"> => one;
  return { requirements: requirements.map(bare), comparisons: comparisons.map(bare), approval, examples };
}

test.each(workflows)(
  "the gates of %s, written down and read back, are the same, and so is what judges by them",
  async (type, folder) => {
    const definitions = copyOf(folder);
    const gates = (): unknown[] =>
      (readPhased(filesOf(definitions), type).draft?.phases ?? []).map(({ gate }) => meaning(gate));
    const named = (): string[] =>
      (readPhased(filesOf(definitions), type).draft?.phases ?? []).map(({ gate }) =>
        canonical(gateMeaning(gate, gate.approval)),
      );
    const [before, namedBefore] = [gates(), named()];
    const result = await writeGates(filesOf(definitions), definitions, type, {});
    if (before.length === 0) return expect(result).toMatchObject({ refused: expect.stringContaining("task list") });
    if (!("written" in result)) throw new Error(JSON.stringify(result));
    expect(result.written.length + result.kept.length).toBe(before.length);
    expect(gates()).toEqual(before);
    expect(named()).toEqual(namedBefore);
    expect(readPhased(filesOf(definitions), type).draft?.complaints.filter(({ closes }) => closes)).toEqual([]);
    expect(await writeGates(filesOf(definitions), definitions, type, {})).toMatchObject({ written: [] });
  },
);

test("nothing is written while a gate is closed", async () => {
  const definitions = copyOf(join(import.meta.dirname, "closed"));
  expect(await writeGates(filesOf(definitions), definitions, "memo", {})).toMatchObject({
    refused: expect.stringContaining('memo.md:6 the key "aproval" is unknown'),
  });
  expect(existsSync(join(definitions, "workflows/memo"))).toBe(false);
});
