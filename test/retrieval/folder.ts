import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { keepSnapshot, standards } from "../../src/definitions/snapshot/keep-snapshot.ts";
import { openStandards, type StandardsDeps } from "../../src/retrieval/standards.ts";

/** A folder of standards that is gone after the test, and doors to it. */
export function standardsFolder(files: Readonly<Record<string, string | Buffer>> = {}) {
  const root = mkdtempSync(join(tmpdir(), "waymark-standards-"));
  const folder = join(root, "standards");
  const opened: ReturnType<typeof openStandards>[] = [];
  mkdirSync(folder);
  const write = (file: string, content: string | Buffer) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  };
  for (const [file, content] of Object.entries(files)) write(file, content);
  onTestFinished(async () => {
    for (const transport of opened) await transport.close();
    rmSync(root, { recursive: true, force: true });
  });
  return {
    root,
    folder,
    indexFile: join(root, "index/standards.idx"),
    write,
    remove: (file: string) => rmSync(join(folder, file), { recursive: true }),
    /** Opens the folder as another process would: with nothing in memory. */
    open(options: Partial<StandardsDeps> = {}) {
      const transport = openStandards({
        folder,
        indexFolder: join(root, "index"),
        current: keepSnapshot(root, standards).current,
        patience: 60_000,
        ...options,
      });
      opened.push(transport);
      return transport;
    },
  };
}

export const pages = {
  "gates.md":
    "---\ntags: [Gates, proof]\n---\n# Gates\n\nA gate opens with evidence.\n\n## Approval\n\nA person says yes.\n",
  "ops/rollback.md": "# Rollback\n\nUndo a release with the deploy tool.\n\n```sh\ndeploy --undo\n```\n",
  "ops/release.md": "# Release\n\nShip on Tuesday. Evidence of tests is required.\n",
};
