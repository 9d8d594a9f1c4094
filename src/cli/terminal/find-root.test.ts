import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findRoot } from "../../repository/project-root.ts";
import { defaultRoot, rootForInit } from "./find-root.ts";

test("a command inside a project folder uses that project", () => {
  const top = tree(".waymark/bots/", "src/deep/");
  expect(findRoot(join(top, "src/deep"))).toBe(top);
  expect(findRoot(top)).toBe(top);
});

test("without a project above it, a command uses its own folder", () => {
  const top = tree("src/");
  expect(findRoot(join(top, "src"))).toBe(join(top, "src"));
});

test("the nearer of two projects is used", () => {
  const top = tree(".waymark/bots/", "inner/.waymark/workflows/", "inner/src/");
  expect(findRoot(join(top, "inner/src"))).toBe(join(top, "inner"));
});

test.each(["bots/", "base_actions/", "workflows/", "standards/", "config.json"])(
  "a bot's project area below the root is not a project if %s is above it",
  (part) => {
    const top = tree(`.waymark/${part}`, "area/.waymark/journal/", "area/docs/");
    expect(findRoot(join(top, "area/docs"))).toBe(top);
  },
);

test("a project area with definitions elsewhere is found", () => {
  const top = tree(".waymark/journal/", "src/");
  expect(findRoot(join(top, "src"))).toBe(top);
});

test("init sets up the project it runs in, and never the home folder above it", () => {
  const top = tree(".waymark/bots/", "shop/src/", "shop/.waymark/bots/", "new/");
  expect(rootForInit(join(top, "shop/src"), top)).toBe(join(top, "shop"));
  expect(rootForInit(join(top, "new"), top)).toBe(join(top, "new"));
  expect(rootForInit(top, top)).toBe(top);
});

test("a host may name the start folder; an unreplaced placeholder is ignored", () => {
  const top = tree(".waymark/bots/", "src/");
  expect(defaultRoot(join(top, "src"))).toBe(top);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as a host leaves it
  for (const named of ["", "${workspaceFolder}"]) expect(defaultRoot(named)).toBe(findRoot(process.cwd()));
  expect(() => defaultRoot(join(top, "gone"))).toThrow("which is not a folder");
});

function tree(...paths: readonly string[]): string {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "waymark-root-")));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  for (const path of paths) {
    mkdirSync(join(top, path.endsWith("/") ? path : dirname(path)), { recursive: true });
    if (!path.endsWith("/")) writeFileSync(join(top, path), "{}");
  }
  return top;
}
