import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { collectDefinitions } from "./definition-files.ts";
import { folderWith } from "./folder.testing.ts";
import { collectRuntime } from "./runtime-files.ts";

const pathsOf = (definitions: string, ...parts: string[]) => {
  const collected = collectDefinitions(
    definitions,
    parts.map((part) => join(definitions, part)),
  );
  return "refused" in collected ? collected.refused : [...collected.files.keys()];
};

test("only what is named is collected, without what begins with a dot", () => {
  const definitions = folderWith({
    "bots/a/b.md": "",
    "bots/a/.draft": "",
    "bots/.git/x": "",
    "bots/c/d.md": "",
    "config.json": "{}",
  });
  expect(pathsOf(definitions, "config.json", "bots/a", "bots/gone")).toEqual(["bots/a/b.md", "config.json"]);
});

test("a link inside the definitions is followed and becomes a file; one that leads out is refused", () => {
  const definitions = folderWith({ "bots/a/b.md": "", "shared/rules/r.json": "{}" });
  symlinkSync("../../shared/rules", join(definitions, "bots/a/rules"));
  expect(pathsOf(definitions, "bots/a")).toEqual(["bots/a/b.md", "bots/a/rules/r.json"]);
  symlinkSync(folderWith({ "secret.md": "" }), join(definitions, "bots/a/out"));
  expect(pathsOf(definitions, "bots/a")).toContain("bots/a/out points outside the definitions folder");
});

test("a broken link, or one to its own parent folder, is refused", () => {
  const definitions = folderWith({ "bots/a/b.md": "", "bots/c/d.md": "" });
  symlinkSync("nowhere", join(definitions, "bots/a/lost"));
  expect(pathsOf(definitions, "bots/a")).toContain("is a broken link");
  symlinkSync(".", join(definitions, "bots/c/loop"));
  expect(pathsOf(definitions, "bots/c")).toContain("is a link to one of its own parent folders");
});

test("a part outside the definitions is refused, also where a path climbs out", () => {
  expect(pathsOf(folderWith({ "a.md": "" }), "../elsewhere")).toContain("is outside the definitions folder");
});

test("the runtime is what serving and hooks import, now or later, with its notices: not the command, not the other commands", () => {
  const home = folderWith({
    LICENSE: "MIT",
    "dist/waymark.js":
      'import{x}from"./chunk-CLI.js";a(()=>import("./hook-GHI789.js"));b(()=>import("./program-JKL012.js"))',
    "dist/program-JKL012.js": 'a(()=>import("./serve-ABC123.js"));b(()=>import("./status-DEF456.js"))',
    "dist/hook-GHI789.js": 'import"./chunk-B.js";export{hook}',
    "dist/serve-ABC123.js": 'import{y}from"./chunk-A.js";import"./chunk-B.js";export{serve}',
    "dist/chunk-A.js":
      'export{z}from"./chunk-B.js";later=()=>import("./check-rules-1.js");load(isBuilt?"./yaml.cjs":"yaml")',
    "dist/yaml.cjs": "",
    "dist/chunk-B.js": 'import{a}from"node:fs";"./chunk-CLI.js"',
    "dist/licenses.txt": "MIT",
    "dist/check-rules-1.js": 'import{y}from"./chunk-A.js"',
    "dist/chunk-CLI.js": "",
    "dist/status-DEF456.js": "",
    "dist/page/assets/page.js": "",
    "dist/page/index.html": "",
  });
  const { files, serve, hook } = collectRuntime(join(home, "dist"));
  expect({ serve, hook }).toEqual({ serve: "serve-ABC123.js", hook: "hook-GHI789.js" });
  expect([...files.keys()]).toEqual([
    "LICENSE",
    "check-rules-1.js",
    "chunk-A.js",
    "chunk-B.js",
    "hook-GHI789.js",
    "licenses.txt",
    "page/assets/page.js",
    "page/index.html",
    "serve-ABC123.js",
    "yaml.cjs",
  ]);
});

test("a folder that is not a build of Waymark is refused", () => {
  expect(() => collectRuntime(folderWith({ "waymark.js": "" }))).toThrow("is not a build of Waymark");
});
