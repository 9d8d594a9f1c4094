import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // These end what hangs; how long a test takes depends on the machine, and nothing is proved by it.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: "forks",
    // Most of a test's time is a server of its own starting up: two files at a time keep two cores busy.
    maxWorkers: 2,
  },
});
