import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // These end what hangs; how long a test takes depends on the machine, and nothing is proved by it.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: "forks",
    // Tests wait for servers of their own as much as they compute: four files at a time keep two cores busy.
    maxWorkers: 4,
    setupFiles: ["test/seed.ts"],
    globalSetup: ["test/own-state-home.ts"],
    // Tests share nothing but modules, and loading those anew for each file would take longer than most of them.
    isolate: false,
    // One project: a second one would read and transform every module again.
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
  },
});
