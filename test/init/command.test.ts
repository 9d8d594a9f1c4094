import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { hosts } from "../../src/hosts/all-hosts.ts";
import { templates } from "../../src/hosts/init/template.ts";
import { type Ended, runCli, waymark } from "../command-line.ts";
import { dataOf, formats } from "./formats.ts";

test("without a terminal and a client the template is laid down, and it says how an assistant comes to it", async () => {
  const { run, root } = folder();
  const { code, stdout } = await run();
  expect(code).toBe(0);
  expect(stdout).toContain("waymark init --client");
  expect(existsSync(join(root, ".waymark/bots/story_bot/bot_config.json"))).toBe(true);
  expect(readdirSync(root).sort()).toEqual([".gitignore", ".waymark"]);
});

test("clients are named one by one or in a list", async () => {
  const { run, root } = folder();
  expect((await run("--client", "claude,zed", "--client", "gemini")).code).toBe(0);
  for (const file of [".mcp.json", ".zed/settings.json", ".gemini/settings.json"])
    expect(existsSync(join(root, file)), file).toBe(true);
  expect(existsSync(join(root, ".cursor"))).toBe(false);
});

test("--yes takes the assistants that are found, and asks nothing", async () => {
  const { run, root, home } = folder();
  mkdirSync(join(home, ".gemini"));
  expect((await run("--yes")).stdout).toContain("Gemini CLI:");
  expect(existsSync(join(root, ".gemini/settings.json"))).toBe(true);
});

test("a client or a template that does not exist is refused with those that do", async () => {
  const { run, root } = folder();
  expect(await run("--client", "emacs")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("claude, cursor, vscode"),
  });
  expect(await run("--template", "test-driven")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("story-bot, test-generation, bug-fix, spec-driven, blank"),
  });
  expect(readdirSync(root)).toEqual([]);
});

test("a malformed config is named, and nothing is written", async () => {
  const { run, root } = folder();
  writeFileSync(join(root, ".mcp.json"), '{\n  "mcpServers": {\n');
  const { code, stderr } = await run("--client", "claude");
  expect(code).toBe(1);
  expect(stderr).toMatch(/\.mcp\.json: line 3: it is not valid JSON .*nothing was written/);
  expect(readdirSync(root)).toEqual([".mcp.json"]);
});

test("--dry-run shows the lines that would change, and writes nothing", async () => {
  const { run, root } = folder();
  writeFileSync(join(root, ".gitignore"), "node_modules/\n");
  const { stdout } = await run("--client", "claude", "--dry-run");
  expect(stdout).toContain('+     "waymark": {');
  expect(stdout).toContain("+ **/.waymark/journal/");
  expect(stdout).toContain("  node_modules/");
  expect(stdout).toMatch(/^create +\.mcp\.json$\n/m);
  expect(stdout).toContain("Nothing was written");
  expect(readdirSync(root)).toEqual([".gitignore"]);
});

test.each([
  ["story-bot", "Start the story bot."],
  ["test-generation", 'start_workflow with workflow_type "test-generation"'],
  ["blank", "Settle a question for the team."],
])("whoever laid down %s is told how to begin", async (template, words) => {
  const { run } = folder();
  expect((await run("--template", template, "--client", "claude")).stdout).toContain(words);
  expect((await run("--client", "cursor")).stdout).not.toContain("Then say to it");
});

test("with a process of one's own, init says how to begin with it", async () => {
  const { run, root } = folder();
  mkdirSync(join(root, ".waymark/workflows"), { recursive: true });
  writeFileSync(join(root, ".waymark/workflows/incident.md"), "# Incident\n\n## Phase 1: Notice\n\n- [ ] Noticed\n");
  expect((await run("--client", "claude")).stdout).toContain('Then tell it: "Start the workflow incident."');
});

test("--json tells a script what was done to each file", async () => {
  const { run } = folder();
  const first = JSON.parse((await run("--client", "claude", "--json")).stdout);
  expect(first).toMatchObject({ clients: ["claude"], changed: true, dry_run: false, remove: false });
  expect(first.files).toContainEqual({ file: ".mcp.json", action: "created" });
  const second = JSON.parse((await run("--client", "claude", "--json")).stdout);
  expect(second.changed).toBe(false);
  expect(second.files).toContainEqual({ file: ".mcp.json", action: "unchanged" });
  const undone = JSON.parse((await run("--remove", "--json")).stdout);
  expect(undone.files).toContainEqual({ file: ".mcp.json", action: "removed" });
});

test("where Waymark is not among the project's packages it says what is missing", async () => {
  const { run } = folder();
  expect((await run("--client", "claude")).stdout).toContain("--vendor");
  expect(JSON.parse((await run("--client", "claude", "--json")).stdout).needs).toContain("--vendor");
  expect((await run("--client", "claude", "--command", "waymark")).stdout).not.toContain("npm install");
  expect((await run()).stdout).not.toContain("npm install");
});

test("in a folder of a project that project is set up, and said; named, the folder itself", async () => {
  const { run, root, inside } = folder();
  await run();
  expect((await inside("src", "--client", "claude")).stdout).toContain(`The project is ${root}.`);
  expect(existsSync(join(root, ".mcp.json"))).toBe(true);
  expect(readdirSync(join(root, "src"))).toEqual([]);
  await inside("src", "--root", ".");
  expect(existsSync(join(root, "src/.waymark"))).toBe(true);
});

test("a project with definitions of its own gets no template that it did not ask for", async () => {
  const { run, root } = folder();
  mkdirSync(join(root, ".waymark/bots/mine"), { recursive: true });
  writeFileSync(join(root, ".waymark/bots/mine/bot_config.json"), '{ "name": "mine", "behaviors": ["one"] }');
  expect((await run("--client", "claude")).code).toBe(0);
  expect(readdirSync(join(root, ".waymark/bots"))).toEqual(["mine"]);
});

test.each(hosts.map(({ id }) => id))(
  "what init writes for %s can be started as the host does it, and serves the bot",
  async (id) => {
    const { run, root, home } = folder();
    await run("--client", id, "--command", `${process.execPath} ${waymark}`);
    for (const { file, inHome, schema } of formats[id]) {
      const text = readFileSync(join(inHome ? home : root, file), "utf8");
      const entry = schema === undefined ? undefined : entryIn(dataOf(file, text));
      if (entry !== undefined) expect(await toolsOf(entry, root)).toContain("story_bot");
    }
  },
);

test.each(templates)("the template %s is served as it is laid down", async (template) => {
  const { run, root } = folder();
  await run("--client", "claude", "--template", template, "--command", `${process.execPath} ${waymark}`);
  const entry = entryIn(JSON.parse(readFileSync(join(root, ".mcp.json"), "utf8")));
  expect((await toolsOf(entry, root)).length).toBeGreaterThanOrEqual(3);
});

/** Cursor names the project by a variable; the others start servers in the project's folder. */
async function toolsOf(entry: Entry | undefined, root: string): Promise<readonly string[]> {
  if (entry === undefined) throw new Error("there is no entry");
  const { command, args, env = {} } = entry;
  const named = Object.fromEntries(Object.entries(env).map(([key, value]) => [key, filledIn(value, root)]));
  const client = new Client({ name: "waymark-tests", version: "1.0.0" });
  const cwd = entry.env === undefined ? root : tmpdir();
  await client.connect(new StdioClientTransport({ command, args, env: named, cwd, stderr: "ignore" }));
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

function filledIn(text: string, root: string): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the host fills it in
  return text.replace("${workspaceFolder}", root);
}

const entrySchema = z.object({
  command: z.string(),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()).optional(),
});
type Entry = z.infer<typeof entrySchema>;
const entries = z.looseObject({ waymark: entrySchema });

function entryIn(data: unknown): Entry | undefined {
  const holders = z.record(z.string(), z.unknown()).parse(data);
  return Object.values(holders).flatMap((value) => entries.safeParse(value).data?.waymark ?? [])[0];
}

type Run = (...args: readonly string[]) => Promise<Ended>;

/** A project folder and a home folder, in which the command is run as a script would. */
function folder() {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "waymark-command-")));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const root = join(top, "project");
  const home = join(top, "home");
  for (const path of [root, home]) mkdirSync(path);
  const inside = (place: string, ...args: readonly string[]): Promise<Ended> => {
    mkdirSync(join(root, place), { recursive: true });
    return runCli(["init", ...args], join(root, place), { PATH: "", HOME: home, USERPROFILE: home });
  };
  const run: Run = (...args) => inside(".", ...args);
  return { root, home, run, inside };
}
