import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { patchPackages } from "../../scripts/patch-packages.mjs";

const home = join(import.meta.dirname, "../..");
const client = "node_modules/postgres/src/connection.js";

test("the PostgreSQL client that is built in does not end the process where a connection closes while a statement is sent", () => {
  expect(readFileSync(join(home, client), "utf8")).toMatch(/function nextWrite\(fn\) \{\s+if \(socket === null\)/);
});

test("each patch says why and where its authors are told, is applied once, and does not pass for another version", () => {
  for (const name of readdirSync(join(home, "patches")))
    expect(readFileSync(join(home, "patches", name), "utf8")).toMatch(/^[A-Z][\s\S]+Upstream: https:\S+/);
  const folder = mkdtempSync(join(tmpdir(), "waymark-patches-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  patchPackages(folder); // nothing is installed there
  mkdirSync(join(folder, "node_modules/postgres/src"), { recursive: true });
  const patched = readFileSync(join(home, client), "utf8");
  const guard = / {4}if \(socket === null\) \{\n.*\n.*\n.*\n {4}\}\n(?= {4}const x = socket\.write)/;
  writeFileSync(join(folder, client), patched.replace(guard, ""));
  for (let time = 0; time < 2; time++) {
    patchPackages(folder);
    expect(readFileSync(join(folder, client), "utf8")).toBe(patched);
  }
  writeFileSync(join(folder, client), "another version");
  expect(() => patchPackages(folder)).toThrow(/does not fit the installed package/);
});
