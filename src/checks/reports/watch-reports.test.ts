import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { watchReports } from "./watch-reports.ts";

test("the folder of a report is made before the run, and never through a link", async () => {
  const top = mkdtempSync(join(tmpdir(), "waymark-reports-"));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const area = join(top, "area");
  for (const folder of [area, join(top, "outside")]) mkdirSync(folder);
  symlinkSync(join(top, "outside"), join(area, "linked"));
  const reports = ["reports/unit/junit.xml", "linked/junit.xml", "linked/more/junit.xml"].map((path) => ({
    format: "junit" as const,
    path,
  }));
  const watch = await watchReports(area, reports);
  writeFileSync(join(area, "reports/unit/junit.xml"), "<testsuite><testcase name='a'/></testsuite>");
  await watch.read();
  expect(existsSync(join(top, "outside/more"))).toBe(false);
});
