import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";
import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import type { Project } from "../project.ts";
import { complaints, manifestSchema, serverJsonSchema } from "./formats.ts";
import { addNeighbours, generatePackage, makeBotProject, makeFolder, openServer } from "./generated.ts";

const json = (...path: string[]): Record<string, never> => JSON.parse(readFileSync(join(...path), "utf8"));
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const npm = (cwd: string, ...args: string[]): string =>
  execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** Every file below a folder, by path. */
function filesIn(folder: string): Map<string, Buffer> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path)]));
}

async function generated(
  ...args: string[]
): Promise<{ project: Project; out: string; report: Record<string, unknown> }> {
  const project = makeBotProject();
  addNeighbours(project);
  const out = join(makeFolder(), "package");
  return { project, out, report: await generatePackage(project, out, ...args) };
}

describe("what is generated", () => {
  test("a package holds this bot, the actions it uses and what serving needs: nothing of its neighbours, no dependency", async () => {
    const { out, report } = await generated();
    const files = [...filesIn(out).keys()];
    expect(files.filter((file) => !/^(runtime|definitions|clients)\//.test(file))).toEqual([
      ".generated-by-waymark.json",
      "README.md",
      "manifest.json",
      "package.json",
      "server.js",
      "server.json",
      "story-bot-mcp.mcpb",
      "tools.json",
    ]);
    const actions = ["build_knowledge", "correct_bot", "decide_planning_criteria", "gather_context", "validate_rules"];
    expect(readdirSync(join(out, "definitions/base_actions"))).toEqual(actions);
    expect(readdirSync(join(out, "definitions/bots/base_bot/base_actions"))).toEqual(["render_output"]);
    expect(readdirSync(join(out, "definitions/bots")).sort()).toEqual(["base_bot", "story_bot"]);
    expect(files.join("\n")).not.toMatch(/secret|unused|notes|draft/);
    expect(readdirSync(join(out, "runtime")).join()).not.toMatch(/waymark|generate|status|testing/);
    expect(statSync(join(out, "server.js")).mode & 0o111).toBe(0o111);
    expect(readFileSync(join(out, "server.js"), "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(report).toMatchObject({ bot: "story_bot", name: "story-bot-mcp", files: files.length, replaced: false });
    expect(report.start_ms).toBeGreaterThan(0);
    const { engines } = json(import.meta.dirname, "../../package.json");
    expect(json(out, "package.json")).toMatchObject({ type: "module", bin: { "story-bot-mcp": "server.js" }, engines });
    expect(json(out, "package.json")).not.toHaveProperty("dependencies");
  });

  test("the same bot gives the same bytes, wherever and whenever it is generated", async () => {
    const { project, out } = await generated();
    const again = join(makeFolder(), "elsewhere", "other-name");
    await generatePackage(project, again);
    expect(filesIn(again)).toEqual(filesIn(out));
  });

  test("server.json is what the registry takes, and its name is the mcpName of the package", async () => {
    const { project, out } = await generated("--name", "@acme/story-mcp");
    expect(complaints(serverJsonSchema, json(out, "server.json"))).toEqual([]);
    expect(json(out, "server.json")).toMatchObject({
      name: "io.github.acme/story-mcp",
      packages: [{ registryType: "npm", identifier: "@acme/story-mcp", version: "0.1.0" }],
    });
    expect(json(out, "package.json")).toMatchObject({ mcpName: "io.github.acme/story-mcp" });
    expect(json(out, "package.json")).not.toHaveProperty("private");

    const completed = { ...json(out, "package.json"), version: "1.2.3", repository: "github:acme/bots" };
    writeFileSync(join(out, "package.json"), JSON.stringify(completed));
    await generatePackage(project, out);
    expect(complaints(serverJsonSchema, json(out, "server.json"))).toEqual([]);
    const bundle = readFileSync(join(out, "story-mcp.mcpb"));
    expect(json(out, "server.json")).toMatchObject({
      version: "1.2.3",
      repository: { url: "https://github.com/acme/bots", source: "github" },
      packages: [
        { registryType: "npm", version: "1.2.3" },
        {
          registryType: "mcpb",
          identifier: "https://github.com/acme/bots/releases/download/v1.2.3/story-mcp.mcpb",
          fileSha256: sha256(bundle),
        },
      ],
    });
    expect(complaints(serverJsonSchema, { ...json(out, "server.json"), name: "no-namespace" })).not.toEqual([]);
  });

  test("the bundle unzips to a manifest that hosts take, and to a server that starts as the manifest says", async () => {
    const { out } = await generated();
    const folder = makeFolder();
    const entries = unzipSync(readFileSync(join(out, "story-bot-mcp.mcpb")));
    for (const [path, bytes] of Object.entries(entries)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes);
    }
    const manifest = json(folder, "manifest.json");
    expect(complaints(manifestSchema, manifest)).toEqual([]);
    expect(complaints(manifestSchema, { ...manifest, author: {} })).not.toEqual([]);
    expect(manifest).toMatchObject({ name: "story-bot-mcp", server: { entry_point: "server.js" } });
    const { args } = (manifest.server as { mcp_config: { args: string[] } }).mcp_config;
    const chosen = makeFolder();
    const filled = args.map((arg) =>
      arg.replace(`\${__dirname}`, folder).replace(`\${user_config.project_folder}`, chosen),
    );
    const window = await openServer(filled, { cwd: makeFolder() });
    expect((await window.client.listTools()).tools).toEqual(json(out, "tools.json").tools);
    await window.call("story_bot");
    expect(readdirSync(chosen)).toContain("workflow_state.json");
  });

  test("every host has its config, in its own format; a name that nobody chose is never fetched from npm", async () => {
    const { project, out } = await generated();
    const configs = (folder: string): unknown[] => [
      json(folder, "claude/.mcp.json"),
      json(folder, "cursor/.cursor/mcp.json"),
      json(folder, "vscode/.vscode/mcp.json"),
      parseToml(readFileSync(join(folder, "codex/.codex/config.toml"), "utf8")),
      json(folder, "gemini/.gemini/settings.json"),
      json(folder, "windsurf/mcp_config.json"),
      json(folder, "zed/.zed/settings.json"),
    ];
    const local = { command: "npx", args: ["--no", "--", "story-bot-mcp"] };
    const at = (root: string): typeof local => ({ ...local, args: [...local.args, "--root", root] });
    expect(configs(join(out, "clients"))).toEqual([
      { mcpServers: { "story-bot": { type: "stdio", ...local } } },
      { mcpServers: { "story-bot": { type: "stdio", ...at(`\${workspaceFolder}`) } } },
      { servers: { "story-bot": { type: "stdio", ...at(`\${workspaceFolder}`) } } },
      { mcp_servers: { "story-bot": local } },
      { mcpServers: { "story-bot": local } },
      { mcpServers: { "story-bot": at("/path/to/your/project") } },
      { context_servers: { "story-bot": local } },
    ]);
    expect(json(out, "package.json").private).toBe(true);
    await generatePackage(project, out, "--name", "@acme/story-mcp");
    expect(configs(join(out, "clients"))[0]).toEqual({
      mcpServers: { "story-bot": { type: "stdio", command: "npx", args: ["-y", "@acme/story-mcp"] } },
    });
  });
});

describe("as an npm package", () => {
  test("it runs with npx from its folder", async () => {
    const { out } = await generated();
    expect(execFileSync("npx", ["--offline", ".", "--version"], { cwd: out, encoding: "utf8" })).toContain("0.1.0");
    expect(execFileSync("npx", ["--offline", ".", "--help"], { cwd: out, encoding: "utf8" })).toContain(
      "--project-area",
    );
  });

  test("packed and installed into an empty folder, its command serves that folder", async () => {
    const { out } = await generated();
    const folder = makeFolder();
    const [packed] = JSON.parse(npm(out, "pack", "--json", "--pack-destination", folder));
    expect(packed.files.map(({ path }: { path: string }) => path)).not.toContain("story-bot-mcp.mcpb");
    writeFileSync(join(folder, "package.json"), "{}");
    npm(folder, "install", "--offline", "--no-audit", "--no-fund", join(folder, packed.filename));
    const config = json(folder, "node_modules/story-bot-mcp/clients/claude/.mcp.json");
    const { "story-bot": entry } = config.mcpServers as { "story-bot": { command: string; args: string[] } };
    const said = execFileSync(entry.command, [...entry.args, "--version"], { cwd: folder, encoding: "utf8" });
    expect(said).toContain("0.1.0");
    const window = await openServer([join(folder, "node_modules/.bin/story-bot-mcp")], { cwd: folder });
    expect(await window.call("story_bot")).toMatchObject({ status: "started" });
    expect(readdirSync(folder)).toContain("workflow_state.json");
  });
}, 60_000);
