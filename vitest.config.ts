import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that wait for servers, browsers and hosts longer than they compute. */
const waiting =
  /\/(test\/(team|hosts|pages|faults|generate)\/|src\/stores\/stores\.test\.ts|test\/examples\/own-store)/;

/**
 * Starts a waiting file with every other file, from the first one on. By size alone the last to start would be short files
 * that wait long (`test/team/soak.test.ts`), with both cores idle meanwhile.
 */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const long = sorted.filter(({ moduleId }) => waiting.test(moduleId));
    const others = sorted.filter((file) => !long.includes(file));
    return [...others.flatMap((file) => [...long.splice(0, 1), file]), ...long];
  }
}

export default defineConfig({
  test: {
    // These end what hangs; how long a test takes depends on the machine, and nothing is proved by it.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    pool: "forks",
    // Tests wait for servers of their own as much as they compute: four files at a time keep two cores busy; each more reads all modules again.
    maxWorkers: 4,
    sequence: { sequencer: WaitingFirst },
    setupFiles: ["test/seed.ts"],
    globalSetup: ["test/own-state-home.ts"],
    // Tests share nothing but modules, and loading those anew for each file would take longer than most of them.
    isolate: false,
    // One project: a second one would read and transform every module again.
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
  },
});
