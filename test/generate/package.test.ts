import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";
import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import { hosts } from "../../src/hosts/all-hosts.ts";
import type { CommandLine } from "../../src/hosts/host.ts";
import { openCommand } from "../window.ts";
import { complaints, manifestSchema, serverJsonSchema } from "./formats.ts";
import { generatePackage, makeFolder, makeProjectAmongOthers, sharedPackages } from "./generated.ts";

const json = (...path: string[]) => JSON.parse(readFileSync(join(...path), "utf8"));
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const run = (cwd: string, command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** The hash of every file below a folder, by path. */
function filesIn(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return new Map(paths.map((path) => [path.slice(folder.length + 1), sha256(readFileSync(path))]));
}

const generated = sharedPackages();

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
    const { out } = await generated();
    const again = join(makeFolder(), "elsewhere", "other-name");
    await generatePackage(makeProjectAmongOthers(), again);
    expect(filesIn(again)).toEqual(filesIn(out));
  });

  test("server.json is what the registry takes, and its name is the mcpName of the package", async () => {
    const out = makeFolder();
    cpSync((await generated("--name", "@acme/story-mcp")).out, out, { recursive: true });
    expect(complaints(serverJsonSchema, json(out, "server.json"))).toEqual([]);
    expect(json(out, "server.json")).toMatchObject({
      name: "io.github.acme/story-mcp",
      packages: [{ registryType: "npm", identifier: "@acme/story-mcp", version: "0.1.0" }],
    });
    expect(json(out, "package.json")).toMatchObject({ mcpName: "io.github.acme/story-mcp" });
    expect(json(out, "package.json")).not.toHaveProperty("private");

    const completed = { ...json(out, "package.json"), version: "1.2.3", repository: "github:acme/bots" };
    writeFileSync(join(out, "package.json"), JSON.stringify(completed));
    await generatePackage(makeProjectAmongOthers(), out);
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
    const { args }: { args: string[] } = manifest.server.mcp_config;
    const chosen = makeFolder();
    const filled = args.map((arg) =>
      arg.replace(`\${__dirname}`, folder).replace(`\${user_config.project_folder}`, chosen),
    );
    const window = await openCommand(filled, { cwd: makeFolder() });
    expect((await window.client.listTools()).tools).toEqual(json(out, "tools.json").tools);
    await window.call("story_bot");
    expect(readdirSync(chosen)).toContain("workflow_state.json");
  });

  test("every host has its config, with the keys and at the place that init writes to", async () => {
    const { out } = await generated("--name", "@acme/story-mcp");
    const files = [...filesIn(join(out, "clients")).keys()];
    const project = "/path/to/your/project";
    const written = hosts.flatMap(({ id, files: filesOf }) =>
      filesOf({ root: project, home: "/home", start: { inProject: startIn, onThisMachine: startIn(project) } }).flatMap(
        ({ path, parts }) => {
          const [part] = parts;
          return part?.kind === "server"
            ? [{ file: join(id, path.replace(/^(\/path\/to\/your\/project|\/home)\//, "")), part }]
            : [];
        },
      ),
    );
    expect(files).toEqual(written.map(({ file }) => file).sort());
    for (const { file, part } of written) {
      const text = readFileSync(join(out, "clients", file), "utf8");
      const config = file.endsWith(".toml") ? parseToml(text) : JSON.parse(text);
      const { env, cwd, ...entry } = part.entry; // a package's server is told its project by `--root`
      const { command, args, ...rest } = entry;
      const written = part.asList ? { type: "local", command: [command, args].flat(), ...rest } : entry;
      expect(config, file).toEqual({ [part.under]: { "story-bot": written } });
    }
  });

  test("a name that nobody chose is never fetched from npm", async () => {
    const { out } = await generated();
    expect(json(out, "package.json").private).toBe(true);
    expect(json(out, "clients/claude/.mcp.json").mcpServers["story-bot"]).toEqual({
      type: "stdio",
      command: "npx",
      args: ["--no", "--", "story-bot-mcp"],
    });
  });
});

/** The command line of the published package; `.` is where every such host starts its servers. */
function startIn(workspace: string): CommandLine {
  const root = workspace === "." ? [] : ["--root", workspace];
  return { command: "npx", args: ["-y", "@acme/story-mcp", ...root], fetches: true };
}

describe("as an npm package", () => {
  test("it runs with npx from its folder", async () => {
    const { out } = await generated();
    expect(run(out, "npx", "--offline", ".", "--version")).toContain("0.1.0");
    expect(run(out, "npx", "--offline", ".", "--help")).toContain("--project-area");
  });

  test("packed and installed into an empty folder, its command serves that folder", async () => {
    const { out } = await generated();
    const folder = makeFolder();
    const [packed] = JSON.parse(run(out, "npm", "pack", "--json", "--pack-destination", folder));
    expect(packed.files.map(({ path }: { path: string }) => path)).not.toContain("story-bot-mcp.mcpb");
    writeFileSync(join(folder, "package.json"), "{}");
    run(folder, "npm", "install", "--offline", "--no-audit", "--no-fund", join(folder, packed.filename));
    const config = json(folder, "node_modules/story-bot-mcp/clients/claude/.mcp.json");
    const entry = config.mcpServers["story-bot"];
    const said = run(folder, entry.command, ...entry.args, "--version");
    expect(said).toContain("0.1.0");
    const window = await openCommand([join(folder, "node_modules/.bin/story-bot-mcp")], { cwd: folder });
    expect(await window.call("story_bot")).toMatchObject({ status: "started" });
    expect(readdirSync(folder)).toContain("workflow_state.json");
  });
});
