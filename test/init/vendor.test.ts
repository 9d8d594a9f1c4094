import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { git } from "../repository.ts";

const waymark = resolve("dist/waymark.js");

test("a project that keeps a copy of Waymark in git works in a clone that installs nothing", () => {
  const top = mkdtempSync(join(tmpdir(), "waymark-vendor-"));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const run = (file: string, cwd: string, ...args: string[]): string =>
    execFileSync(process.execPath, [file, ...args], { cwd, encoding: "utf8", env: { ...process.env, HOME: top } });
  const project = join(top, "shop");
  mkdirSync(project);
  git(project, "init", "-q", "-b", "main");
  writeFileSync(join(project, ".gitignore"), "dist/\n");
  run(waymark, project, "init", "--vendor", "--template", "blank", "--client", "claude,cursor,codex");
  git(project, "add", "--all");
  git(project, "commit", "--quiet", "--message=A process of our own");
  const clone = join(top, "clone");
  git(project, "clone", "--quiet", project, clone);
  const copy = ".waymark/vendor/waymark/dist/waymark.js";
  for (const config of [".mcp.json", ".cursor/mcp.json", ".codex/config.toml", ".claude/settings.json"]) {
    const text = readFileSync(join(clone, config), "utf8");
    expect(text).toContain(copy);
    expect(text).not.toContain(top);
  }
  expect(run(join(clone, copy), clone, "check")).toContain("No problems found");
  // A later init from this copy keeps to it, and a whole removal takes it away.
  expect(run(join(clone, copy), clone, "init", "--client", "claude")).toContain("Nothing to change");
  run(join(project, copy), project, "init", "--remove");
  expect(existsSync(join(project, ".waymark"))).toBe(false);
});

test("init prints a link for the hosts that take one, with the entry that it writes", () => {
  const root = mkdtempSync(join(tmpdir(), "waymark-link-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const args = [waymark, "init", "--vendor", "--template", "blank", "--client", "cursor,vscode"];
  const said = execFileSync(process.execPath, args, {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, HOME: root },
  });
  const [cursor = "", vscode = ""] = [...said.matchAll(/(?:cursor:|vscode:)\S+/g)].map(([link]) => link);
  const given = new URL(cursor).searchParams;
  const { type: _, ...entry } = JSON.parse(readFileSync(join(root, ".cursor/mcp.json"), "utf8")).mcpServers.waymark;
  expect(given.get("name")).toBe("waymark");
  expect(JSON.parse(Buffer.from(given.get("config") ?? "", "base64").toString())).toEqual(entry);
  const { type: _type, ...server } = JSON.parse(readFileSync(join(root, ".vscode/mcp.json"), "utf8")).servers.waymark;
  expect(JSON.parse(decodeURIComponent(vscode.slice(vscode.indexOf("?") + 1)))).toEqual({ name: "waymark", ...server });
});
