import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { chooseStart } from "../../src/hosts/init/choose-start.ts";
import { typedCommand } from "../../src/hosts/init/installation.ts";

const here = { root: "/home/me/shop", node: "/usr/bin/node", platform: "linux", path: "" };

describe("the command that hosts run", () => {
  test("is the project's own copy, by the host's word for its folder", () => {
    const start = chooseStart({ ...here, ...projectWith("node_modules") });
    expect(start.inProject(".")).toEqual({
      command: "node",
      args: ["./node_modules/waymark/dist/waymark.js", "serve"],
    });
    expect(start.inProject("@folder").args[0]).toBe("@folder/node_modules/waymark/dist/waymark.js");
    expect(start.needs).toBeUndefined();
  });

  test("is found further up in a repository of many projects, and never outside the repository", () => {
    const one = projectWith("../../node_modules", "../../.git");
    expect(chooseStart({ ...here, ...one }).inProject(".").args[0]).toBe("../../node_modules/waymark/dist/waymark.js");
    const other = projectWith("../../node_modules", ".git");
    expect(chooseStart({ ...here, ...other }).needs).toContain("--vendor");
  });

  test("is npx where npx fetched Waymark from a registry", () => {
    const start = chooseStart({ ...here, script: copyInNpxStore("^0.1.0") });
    expect(start.inProject(".")).toEqual({ command: "npx", args: ["-y", "waymark", "serve"], fetches: true });
    expect(start.needs).toBeUndefined();
    const onWindows = chooseStart({ ...here, platform: "win32", script: copyInNpxStore("^0.1.0") });
    expect(onWindows.inProject(".")).toMatchObject({ command: "cmd", args: ["/c", "npx", "-y", "waymark", "serve"] });
  });

  test("is the command waymark if that is what runs, with a note that colleagues need it too", () => {
    const { root, script } = projectWith("../lib");
    const bin = join(root, "../bin");
    const local = join(root, "../node_modules/.bin");
    for (const folder of [bin, local]) {
      mkdirSync(folder, { recursive: true });
      symlinkSync(script, join(folder, "waymark"));
    }
    const start = chooseStart({ ...here, script: realpathSync(script), path: `/gone${delimiter}${bin}` });
    expect(start.inProject(".")).toEqual({ command: "waymark", args: ["serve"] });
    expect(start.needs).toContain("so colleagues need it too");
    for (const path of [local, "/gone"])
      expect(chooseStart({ ...here, script: realpathSync(script), path }).inProject(".").command).toBe("node");
    expect(chooseStart({ ...here, script: "/another", path: bin }).inProject(".").command).toBe("node");
  });

  test("is never npx where the package came from elsewhere: its name in a registry may be somebody else's", () => {
    for (const script of ["/opt/waymark/dist/waymark.js", copyInNpxStore("file:../../waymark-0.1.0.tgz")]) {
      const { inProject, needs } = chooseStart({ ...here, script });
      expect(inProject(".")).toEqual({ command: "node", args: ["./node_modules/waymark/dist/waymark.js", "serve"] });
      expect(needs).toContain("--vendor");
    }
  });

  test("is what the person says, with words in quotes kept together", () => {
    const start = chooseStart({ ...here, script: "/x", command: `"/my tools/waymark" --definitions '/my bots'` });
    expect(start.inProject(".")).toEqual({
      command: "/my tools/waymark",
      args: ["--definitions", "/my bots", "serve"],
    });
    const whole = chooseStart({ ...here, script: "/x", command: "waymark serve --definitions bots" });
    expect(whole.inProject(".").args).toEqual(["serve", "--definitions", "bots"]);
  });

  test("names the project only in a file of this machine, which serves all projects", () => {
    const at = ["serve", "--root", "/home/me/shop"];
    const script = "/opt/waymark/dist/waymark.js";
    expect(chooseStart({ ...here, script }).onThisMachine).toEqual({ command: "/usr/bin/node", args: [script, ...at] });
    expect(chooseStart({ ...here, script, command: "waymark" }).onThisMachine.args).toEqual(at);
    expect(chooseStart({ ...here, script: copyInNpxStore("0.1.0") }).onThisMachine.args).toEqual([
      "-y",
      "waymark",
      ...at,
    ]);
  });
});

test("a person types the command where it is on their PATH, and otherwise what starts the same copy", () => {
  const { root, script } = projectWith("node_modules");
  const on = (...folders: readonly string[]) => ({
    env: { PATH: folders.join(delimiter) },
    platform: "linux" as const,
  });
  expect(typedCommand(root, script, on("/gone"))).toBe("npx waymark");
  const bin = join(root, "../bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "waymark"), "");
  expect(typedCommand(root, script, on("/gone", bin))).toBeUndefined();
  const other = projectWith("../elsewhere");
  expect(typedCommand(other.root, other.script, on("/gone"))).toBe(`node ${other.script}`);
  expect(typedCommand(other.root, "/cache/waymark.zip/dist/waymark.js", on("/gone"))).toBe("yarn waymark");
});

/** A project two folders down, with Waymark in this folder of packages and whatever else. */
function projectWith(
  packages: string,
  ...others: readonly string[]
): { readonly root: string; readonly script: string } {
  const top = mkdtempSync(join(tmpdir(), "waymark-start-"));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const root = join(top, "packages/shop");
  mkdirSync(root, { recursive: true });
  const script = join(root, packages, "waymark/dist/waymark.js");
  mkdirSync(join(script, ".."), { recursive: true });
  writeFileSync(script, "");
  for (const folder of others) mkdirSync(join(root, folder));
  return { root, script };
}

function copyInNpxStore(spec: string): string {
  const top = mkdtempSync(join(tmpdir(), "waymark-npx-"));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const store = join(top, "_npx", "a1b2c3");
  mkdirSync(store, { recursive: true });
  writeFileSync(join(store, "package.json"), JSON.stringify({ dependencies: { waymark: spec } }));
  return join(store, "node_modules/waymark/dist/waymark.js");
}
