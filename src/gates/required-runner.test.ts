import { expect, test } from "vitest";
import type { Check, CheckResult } from "./check.ts";
import { statusesOf } from "./check-verdict.ts";

const check: Check = {
  ...{ kind: "command", name: "tests", run: ["true"], cwd: ".", timeoutSeconds: 1, env: [], exit: 0 },
  ...{ reports: [], gives: {}, pins: [], runner: "independent" },
};
const passed: CheckResult = { name: "tests", status: "passed", definition: "d", reads: "r", summary: "passed" };
const signed = (level: "local" | "independent") => ({ signed: { level } }) as Pick<CheckResult, "signed">;

test("a passed check counts only at the level that its gate asks for, whatever recorded it", () => {
  const statusOf = (result: object) => statusesOf([check], [{ ...passed, ...result }])[0]?.status;
  expect(statusOf({})).toBe("failed");
  expect(statusOf(signed("local"))).toBe("failed");
  expect(statusOf(signed("independent"))).toBe("passed");
  const { runner: _, ...plain } = check;
  expect(statusesOf([plain], [passed])[0]?.status).toBe("passed");
});
