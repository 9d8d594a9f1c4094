import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { engineSurroundings } from "../../src/app/check-project.ts";
import { filesOf } from "../../src/definitions/snapshot/files-of.testing.ts";
import { checkDefinitions } from "../../src/lint/check-definitions.ts";

const home = join(import.meta.dirname, "../..");
const templates = readdirSync(join(home, "templates")).map((name) => join(home, "templates", name));
/** The demonstration, as it is laid together. */
const demo = mkdtempSync(join(tmpdir(), "waymark-demo-"));
for (const part of ["project", "tested"]) cpSync(join(home, "examples/demo", part), demo, { recursive: true });
const examples = readdirSync(join(home, "examples"), { recursive: true, encoding: "utf8" })
  .filter((path) => /(^|[\\/])\.waymark$/.test(path) && !/[\\/]tested[\\/]/.test(path))
  .map((path) => join(home, "examples", path));
const shipped = [...templates, ...examples, join(demo, ".waymark")].filter((folder) =>
  ["bots", "workflows"].some((part) => existsSync(join(folder, part))),
);

afterAll(() => rmSync(demo, { recursive: true }));

test("templates and examples are among what is checked", () => {
  expect(shipped.length).toBeGreaterThan(2);
});

test.each(shipped)("nothing is wrong with %s", async (folder) => {
  const findings = checkDefinitions(filesOf(folder), await engineSurroundings(filesOf(folder), dirname(folder)));
  // How a cross-field rule is read is said of every one.
  expect(findings).toEqual([]);
});
