import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import type { Project } from "../project.ts";
import { openCommand } from "../window.ts";
import { generatePackage, makeBotProject, makeFolder } from "./generated.ts";

const run = (project: Project, out: string, ...args: string[]) =>
  runCli(["generate", "story_bot", "--root", project.root, "--out", out, ...args]);

describe("a bot that cannot be generated", () => {
  test("an unknown bot is answered with the bots there are", async () => {
    const { code, stderr, stdout } = await runCli(["generate", "stroy_bot"], makeBotProject().root);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("There is no bot stroy_bot. Bots: story_bot.");
  });

  test.each([
    ["bots/story_bot/bot_config.json", "{", "bots/story_bot/bot_config.json"],
    ["config.json", '{ "behaviors": "sometimes" }', "config.json"],
    ["base_actions/render_output/action_config.json", '{ "workflow": "yes" }', "render_output/action_config.json"],
    ["base_actions/render_output/action_config.json", '{ "order": 4, "next_action": "nowhere" }', "nowhere"],
    ["base_actions/gather_context/gate-definition.yaml", "approvall: required", "gate-definition.yaml"],
    ["bots/story_bot/behaviors/shape/behavior.json", '{ "actions": ["dream"] }', "behavior.json"],
  ])("a closed definition is refused with the file to fix: %s is %s", async (file, content, named) => {
    const project = makeBotProject();
    project.write(`.waymark/${file}`, content);
    const out = join(makeFolder(), "package");
    const { code, stderr } = await run(project, out);
    expect(code).toBe(1);
    expect(stderr).toContain("can't start until this is fixed");
    expect(stderr).toContain(named);
    expect(existsSync(out)).toBe(false);
  });

  test("a project area outside the root is refused: no host could be served there", async () => {
    const project = makeBotProject();
    const config = project.json(".waymark/bots/story_bot/bot_config.json");
    project.write(".waymark/bots/story_bot/bot_config.json", { ...config, project_area: "../elsewhere" });
    const { code, stderr } = await run(project, join(makeFolder(), "package"));
    expect(code).toBe(1);
    expect(stderr).toContain("outside the root");
  });

  test("a link that leads out of the definitions is not followed; one that stays inside is", async () => {
    const project = makeBotProject();
    const secret = join(makeFolder(), "secret.md");
    writeFileSync(secret, "for my eyes only");
    const link = project.path(".waymark/bots/story_bot/behaviors/shape/secret.md");
    symlinkSync(secret, link);
    const out = join(makeFolder(), "package");
    const { code, stderr } = await run(project, out);
    expect(code).toBe(1);
    expect(stderr).toContain(`${link} points outside the definitions folder`);
    rmSync(link);
    symlinkSync(project.path(".waymark/base_actions/gather_context/instructions.md"), link);
    await generatePackage(project, out);
    expect(readFileSync(join(out, "definitions/bots/story_bot/behaviors/shape/secret.md"), "utf8")).toContain(
      "gather_context",
    );
  });

  test.each(["Story Bot", "../out", "@acme", "node_modules"])(
    "%s is refused as the name of a package",
    async (name) => {
      const { code, stderr } = await runCli(["generate", "story_bot", "--name", name], makeBotProject().root);
      expect(code).toBe(1);
      expect(stderr).toContain("is not a valid package name");
    },
  );
});

describe("the folder it is written to", () => {
  let generated: string;
  beforeAll(() => {
    generated = mkdtempSync(join(tmpdir(), "waymark-generated-"));
  });
  afterAll(() => rmSync(generated, { recursive: true, force: true }));

  /** A package of the story bot in a folder of its own: generated once, then copied, since the same bot gives the same bytes. */
  async function packageIn(out: string): Promise<void> {
    const made = join(generated, "package");
    if (!existsSync(made)) await generatePackage(makeBotProject(), made);
    cpSync(made, out, { recursive: true });
  }

  test("a folder with other files is left as it is; with --force the package is written beside them", async () => {
    const project = makeBotProject();
    const out = makeFolder();
    writeFileSync(join(out, "mine.txt"), "mine");
    const { code, stderr } = await run(project, out);
    expect(code).toBe(1);
    expect(stderr).toContain("is not empty");
    expect(readdirSync(out)).toEqual(["mine.txt"]);
    await generatePackage(project, out, "--force");
    expect(readFileSync(join(out, "mine.txt"), "utf8")).toBe("mine");
    expect(existsSync(join(out, "server.js"))).toBe(true);
  });

  test("a folder of someone else's is not replaced, even with --force", async () => {
    const out = makeFolder();
    mkdirSync(join(out, "definitions"));
    writeFileSync(join(out, "definitions/mine.txt"), "mine");
    const { code, stderr } = await run(makeBotProject(), out, "--force");
    expect(code).toBe(1);
    expect(stderr).toContain("has definitions, which Waymark did not write");
    expect(readdirSync(out)).toEqual(["definitions"]);
  });

  test.each([".", ".waymark", ".waymark/bots/story_bot/package", ".."])(
    "the project and its definitions are never written into: --out %s",
    async (out) => {
      const project = makeBotProject();
      const before = readdirSync(project.root);
      const { code, stderr } = await runCli(["generate", "story_bot", "--out", out, "--force"], project.root);
      expect(code).toBe(1);
      expect(stderr).toContain("Choose a separate folder");
      expect(readdirSync(project.root)).toEqual(before);
    },
  );

  test("generated anew, it follows the bot, drops what is gone, and keeps what its author added", async () => {
    const project = makeBotProject();
    const out = join(makeFolder(), "package");
    await packageIn(out);
    const packageJson = JSON.parse(readFileSync(join(out, "package.json"), "utf8"));
    writeFileSync(
      join(out, "package.json"),
      JSON.stringify({ ...packageJson, version: "2.0.0", license: "MIT", author: "Ada <a@b.c>" }),
    );
    writeFileSync(join(out, "LICENSE"), "MIT");
    mkdirSync(join(out, ".git"));
    project.remove(".waymark/bots/story_bot/behaviors/shape/templates");
    project.write(".waymark/base_actions/gather_context/instructions.md", "Other words.");
    const report = await generatePackage(project, out, "--name", "storyteller");
    expect(report).toMatchObject({ replaced: true, name: "storyteller", version: "2.0.0" });
    expect(readdirSync(out)).toEqual(expect.arrayContaining(["LICENSE", ".git", "storyteller.mcpb"]));
    expect(existsSync(join(out, "story-bot-mcp.mcpb"))).toBe(false);
    expect(existsSync(join(out, "definitions/bots/story_bot/behaviors/shape/templates"))).toBe(false);
    expect(JSON.parse(readFileSync(join(out, "package.json"), "utf8"))).toMatchObject({
      license: "MIT",
      version: "2.0.0",
    });
    expect(JSON.parse(readFileSync(join(out, "manifest.json"), "utf8"))).toMatchObject({
      version: "2.0.0",
      author: { name: "Ada" },
    });
    const window = await openCommand([join(out, "server.js")], { cwd: makeFolder() });
    expect((await window.call("story_bot")).instructions).toContain("Other words.");
  });

  test("what somebody changed in it is not lost: a correction, a file added; --force discards them", async () => {
    const project = makeBotProject();
    const out = join(makeFolder(), "package");
    await packageIn(out);
    const window = await openCommand([join(out, "server.js")], { cwd: makeFolder() });
    const inputs = { rule: "no_articles", do: "Pay the bill", dont: "The bill" };
    await window.call("discovery_bot", { action: "correct_bot", inputs, confirmation: "yes, always" });
    writeFileSync(join(out, "definitions/bots/story_bot/note.md"), "mine");
    const { code, stderr } = await run(project, out);
    expect(code).toBe(1);
    expect(stderr).toContain("no_articles.json");
    expect(stderr).toContain("note.md");
    await generatePackage(project, out, "--force");
    expect(existsSync(join(out, "definitions/bots/story_bot/note.md"))).toBe(false);
    await generatePackage(project, out);
  });

  test("the server of another bot is not replaced unasked", async () => {
    const project = makeBotProject();
    const out = join(makeFolder(), "package");
    await packageIn(out);
    project.write(".waymark/bots/other_bot/bot_config.json", { behaviors: ["shape"] });
    const other = ["generate", "other_bot", "--root", project.root, "--out", out];
    const { code, stderr } = await runCli(other);
    expect(code).toBe(1);
    expect(stderr).toContain("has the server of story_bot");
    expect((await runCli([...other, "--force"])).code).toBe(0);
    expect(JSON.parse(readFileSync(join(out, "package.json"), "utf8")).name).toBe("other-bot-mcp");
  });

  test("nothing is left behind beside it, done or refused", async () => {
    const project = makeBotProject();
    const folder = makeFolder();
    await packageIn(join(folder, "package"));
    writeFileSync(join(folder, "package/README.md"), "changed");
    expect((await run(project, join(folder, "package"))).code).toBe(1);
    expect(readdirSync(folder)).toEqual(["package"]);
  });

  test("without --out it stands in the current folder, named as the package", async () => {
    const project = makeBotProject();
    const { code, stdout } = await runCli(["generate", "story_bot"], project.root);
    expect(code).toBe(0);
    expect(stdout).toContain(join(project.root, "story-bot-mcp"));
    expect(stdout).toMatch(/\d+ tools, \d+ files, .*MB/);
    expect(stdout).toMatch(/listed its tools after \d+ ms/);
    expect(stdout).not.toContain("\u001b");
  });
});
