import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that wait for servers, browsers and hosts longer than they compute. */
const waiting =
  /\/(test\/(team|hosts|pages|faults|generate)\/|src\/stores\/stores\.test\.ts|test\/examples\/own-store)/;

/** What a file that starts many processes mentions. */
const starting = /repository\.ts"|pull-request\.ts"|proving\.ts"|node:child_process|sitDown|runProcess|openProcess/;

/**
 * First the files that start processes, since that takes the longer the more memory a worker has by then (2 ms at first, 20 ms
 * at a gigabyte), and with every other file one that waits, from the first one on: by size alone the last to start would be short
 * files that wait long (`test/team/soak.test.ts`), with both cores idle meanwhile.
 */
class StartingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const long = sorted.filter(({ moduleId }) => waiting.test(moduleId));
    const others = sorted.filter((file) => !long.includes(file));
    const starters = others.filter(({ moduleId }) => starting.test(readFileSync(moduleId, "utf8")));
    const computing = others.filter((file) => !starters.includes(file));
    return [...[...starters, ...computing].flatMap((file) => [...long.splice(0, 1), file]), ...long];
  }
}

export default defineConfig({
  test: {
    // These end what hangs; how long a test takes depends on the machine, and nothing is proved by it.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    pool: "forks",
    // Tests wait for servers of their own as much as they compute: five files at a time keep two cores busy; each more reads all modules again.
    maxWorkers: 5,
    sequence: { sequencer: StartingFirst },
    setupFiles: ["test/seed.ts"],
    globalSetup: ["test/own-state-home.ts"],
    // Tests share nothing but modules, and loading those anew for each file would take longer than most of them.
    isolate: false,
    // One project: a second one would read and transform every module again.
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
  },
});
