import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findRoot } from "../repository/project-root.ts";
import { defaultRoot, rootToSetUp } from "./find-root.ts";

test("a command in a folder of a project is for that project", () => {
  const top = tree(".waymark/bots/", "src/deep/");
  expect(findRoot(join(top, "src/deep"))).toBe(top);
  expect(findRoot(top)).toBe(top);
});

test("without a project anywhere above it is for the folder it is given in", () => {
  const top = tree("src/");
  expect(findRoot(join(top, "src"))).toBe(join(top, "src"));
});

test("the nearer of two projects is meant", () => {
  const top = tree(".waymark/bots/", "inner/.waymark/workflows/", "inner/src/");
  expect(findRoot(join(top, "inner/src"))).toBe(join(top, "inner"));
});

test.each(["bots/", "base_actions/", "workflows/", "standards/", "config.json"])(
  "a bot's project area below the root is no project where %s stands above",
  (part) => {
    const top = tree(`.waymark/${part}`, "area/.waymark/journal/", "area/docs/");
    expect(findRoot(join(top, "area/docs"))).toBe(top);
  },
);

test("a project area whose definitions stand elsewhere is found", () => {
  const top = tree(".waymark/journal/", "src/");
  expect(findRoot(join(top, "src"))).toBe(top);
});

test("init sets up the project it is given in, and never takes the home folder for the project of what stands there", () => {
  const top = tree(".waymark/bots/", "shop/src/", "shop/.waymark/bots/", "new/");
  expect(rootToSetUp(join(top, "shop/src"), top)).toBe(join(top, "shop"));
  expect(rootToSetUp(join(top, "new"), top)).toBe(join(top, "new"));
  expect(rootToSetUp(top, top)).toBe(top);
});

test("a host may name the folder to begin with; a placeholder it left as it was says nothing", () => {
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
