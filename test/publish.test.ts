import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";

const home = join(import.meta.dirname, "..");
const json = (file: string): Record<string, unknown> => JSON.parse(readFileSync(join(home, file), "utf8"));
const about = json("package.json");

test("every manifest names this version, and the files that it points to exist", () => {
  const plugins = [".claude-plugin/plugin.json", ".codex-plugin/plugin.json", ".cursor-plugin/plugin.json"];
  for (const file of [...plugins, "gemini-extension.json"]) {
    const manifest = json(file);
    expect(manifest, file).toMatchObject({ name: "waymark", version: about.version });
    for (const key of ["hooks", "mcpServers", "contextFileName"]) {
      const target = manifest[key];
      if (typeof target === "string") expect(existsSync(join(home, target)), `${file}: ${target}`).toBe(true);
    }
  }
  const server = json("server.json");
  expect(server).toMatchObject({ name: about.mcpName, version: about.version, packages: [{ version: about.version }] });
  for (const file of [...plugins, ".claude-plugin/marketplace.json", ".agents/plugins/marketplace.json", "server.json"])
    expect(
      (about.files as string[]).some((part) => file === part || file.startsWith(`${part}/`)),
      file,
    ).toBe(true);
});

test("the release workflow runs every check first, publishes with provenance, and knows only scripts that exist", () => {
  const workflow = parse(readFileSync(join(home, ".github/workflows/release.yml"), "utf8"));
  const { steps, permissions } = workflow.jobs.package;
  expect(workflow.permissions).toEqual({ contents: "read" });
  expect(permissions).toEqual({ contents: "write", "id-token": "write" });
  const runs: string[] = steps.flatMap(({ run }: { run?: string }) => run ?? []);
  expect(runs[0]).toBe("npm test");
  expect(runs.join("\n")).toContain("--provenance");
  for (const [, script = ""] of runs.join("\n").matchAll(/node (scripts\/\S+)/g))
    expect(existsSync(join(home, script))).toBe(true);
});

test("the bundle holds a server that starts with what is in it", () => {
  const folder = mkdtempSync(join(tmpdir(), "waymark-bundle-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync(process.execPath, [join(home, "scripts/bundle.mjs"), folder], { stdio: "ignore" });
  for (const [path, bytes] of Object.entries(unzipSync(readFileSync(join(folder, "waymark.mcpb"))))) {
    mkdirSync(dirname(join(folder, "in", path)), { recursive: true });
    writeFileSync(join(folder, "in", path), bytes);
  }
  const { server, version } = JSON.parse(readFileSync(join(folder, "in/manifest.json"), "utf8"));
  const run = (...args: string[]): string =>
    execFileSync(process.execPath, [join(folder, "in", server.entry_point), ...args], {
      cwd: folder,
      encoding: "utf8",
    });
  expect(run("--version").trim()).toBe(version);
  run("init", "--template", "blank");
  expect(run("check")).toContain("No problems found");
});
