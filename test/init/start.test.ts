import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startFor } from "../../src/init/start.ts";

const here = { root: "/home/me/shop", node: "/usr/bin/node", platform: "linux" };

describe("the command that hosts run", () => {
  test("names node and the running file by their full paths, and the project's folder", () => {
    const start = startFor({ ...here, script: "/opt/waymark/dist/waymark.js" });
    expect(start(".")).toEqual({
      command: "/usr/bin/node",
      args: ["/opt/waymark/dist/waymark.js", "serve", "--root", "/home/me/shop"],
    });
  });

  test("works for the whole team where Waymark is installed in the project", () => {
    const start = startFor({ ...here, script: "/home/me/shop/node_modules/waymark/dist/waymark.js" });
    expect(start(".")).toEqual({
      command: "node",
      args: ["./node_modules/waymark/dist/waymark.js", "serve", "--root", "."],
    });
    expect(start("/home/me/shop").args[0]).toBe("/home/me/shop/node_modules/waymark/dist/waymark.js");
  });

  test("is npx where npx fetched Waymark from a registry", () => {
    const start = startFor({ ...here, script: copyInNpxStore("^0.1.0") });
    expect(start(".")).toEqual({ command: "npx", args: ["-y", "waymark", "serve", "--root", "."], fetches: true });
    const onWindows = startFor({ ...here, platform: "win32", script: copyInNpxStore("^0.1.0") });
    expect(onWindows(".")).toMatchObject({
      command: "cmd",
      args: ["/c", "npx", "-y", "waymark", "serve", "--root", "."],
    });
  });

  test("is never npx where the package came from elsewhere: its name in a registry may be somebody else's", () => {
    const script = copyInNpxStore("file:../../waymark-0.1.0.tgz");
    expect(startFor({ ...here, script })(".")).toMatchObject({ command: "/usr/bin/node" });
  });

  test("is what the person says, with words in quotes kept together", () => {
    const start = startFor({ ...here, script: "/x", command: `"/my tools/waymark" --definitions '/my bots'` });
    expect(start(".")).toEqual({
      command: "/my tools/waymark",
      args: ["--definitions", "/my bots", "serve", "--root", "."],
    });
  });
});

function copyInNpxStore(spec: string): string {
  const top = mkdtempSync(join(tmpdir(), "waymark-npx-"));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const store = join(top, "_npx", "a1b2c3");
  mkdirSync(store, { recursive: true });
  writeFileSync(join(store, "package.json"), JSON.stringify({ dependencies: { waymark: spec } }));
  return join(store, "node_modules/waymark/dist/waymark.js");
}
