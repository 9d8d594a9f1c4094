import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { readAttacks, writtenPage } from "../scripts/attacks.mjs";
import { program } from "../src/cli/program.ts";
import { type Ended, runCli } from "./command-line.ts";
import { openWindow } from "./window.ts";

const home = join(import.meta.dirname, "..");
const pages = ["README.md", ...pagesIn("docs")];
/** Pages whose links are checked, too. */
const otherPages = [
  ...["CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md", "SECURITY.md", "CODE_OF_CONDUCT.md"],
  ".github/PULL_REQUEST_TEMPLATE.md",
  ...pagesIn("examples"),
  ...pagesIn("templates"),
];

function pagesIn(folder: string): readonly string[] {
  return readdirSync(join(home, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !name.includes("node_modules"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`);
}

/** A fenced block; `norun` is the reason why its commands are not run here. */
type Block = {
  readonly language: string;
  readonly norun: string | undefined;
  readonly text: string;
  readonly line: number;
  readonly file: string | undefined;
};

/** The fenced blocks of a page; one that follows "`path`:" is that file. */
function blocksOf(page: string): Block[] {
  const lines = readFileSync(join(home, page), "utf8").split("\n");
  const blocks: Block[] = [];
  let before = "";
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    const [, fence, language = "", , norun] = /^(`{3,})(\w*)( norun: (.+))?$/.exec(line) ?? [];
    if (fence === undefined) {
      if (line.trim() !== "") before = line;
      continue;
    }
    const end = lines.indexOf(fence, index + 1);
    const file = /`(\.waymark\/[^`]+)`:$/.exec(before.trim())?.[1];
    blocks.push({ language, norun, text: lines.slice(index + 1, end).join("\n"), line: index + 1, file });
    index = end;
  }
  return blocks;
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "waymark-docs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a `waymark …` line in a folder that is the home folder too, and holds whatever the line names outside of it. */
function run(line: string, folder: string): Promise<Ended> {
  const [, ...args] = line
    .replace(/\s+#.*$/, "")
    .trim()
    .split(/\s+/);
  const inside = args.map((arg) => (arg.startsWith("/srv/") ? join(folder, arg) : arg));
  return runCli(inside, folder, { HOME: folder });
}

/** What a line that starts a server says and no server takes. */
function unknownToServe(line: string): readonly string[] {
  const { options = [] } = program.commands.find((command) => command.name() === "serve") ?? {};
  const known = options.map(({ long }) => long);
  return (line.match(/--[a-z-]+/g) ?? []).filter((word) => !known.includes(word));
}

/** The commands of a block that are run. */
function commandsOf({ language, norun, text }: Block): string[] {
  if (language !== "sh" || norun !== undefined) return [];
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

function writeBlock({ file, text }: Block, folder: string): void {
  if (file === undefined) return;
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), `${text}\n`);
}

async function runLine(line: string, folder: string): Promise<void> {
  if (line.startsWith("waymark serve --http")) {
    expect(unknownToServe(line)).toEqual([]); // test/team starts such servers
  } else if (line.startsWith("waymark ")) {
    const { code, stdout, stderr } = await run(line, folder);
    expect(`${line}: ${code}`, stdout + stderr).toBe(`${line}: 0`);
  } else if (line.startsWith("npm ")) {
    const [, command = "", name = ""] = line.replace(/\s+#.*$/, "").split(/\s+/);
    const script = command === "run" ? name : command;
    expect(["install", "pack", "publish", ...Object.keys(scripts)], line).toContain(script);
  } else {
    expect(line).toMatch(/^(cd|node|npx) /); // in docs/generate.md, which test/generate runs
  }
}

const scripts: Record<string, string> = JSON.parse(readFileSync(join(home, "package.json"), "utf8")).scripts;

describe.each(pages)("every code block of %s holds", (page) => {
  const blocks = blocksOf(page);

  test("data blocks are what they say they are", () => {
    for (const { language, text, line } of blocks) {
      if (language === "json") expect(() => JSON.parse(text), `${page}:${line}`).not.toThrow();
      if (language === "yaml") expect(() => parse(text), `${page}:${line}`).not.toThrow();
      if (language === "toml") expect(() => parseToml(text), `${page}:${line}`).not.toThrow();
      expect(["json", "yaml", "toml", "sh", "md", "mermaid", "text", ""], `${page}:${line}`).toContain(language);
    }
  });

  // test/generate runs the commands of docs/generate.md.
  test.skipIf(page === "docs/generate.md")("commands work as they are written, one after the other", async () => {
    const folder = makeFolder();
    const isSetUpByPage = blocks.some(({ text }) => /^waymark init/m.test(text));
    const runs = blocks.flatMap((block) => commandsOf(block));
    if (!isSetUpByPage && runs.length > 0) await runCli(["init", "--template", "story-bot"], folder, { HOME: folder });
    for (const block of blocks) {
      writeBlock(block, folder);
      for (const line of commandsOf(block)) await runLine(line, folder);
    }
  });

  test("commands that are not run here say why", () => {
    for (const { language, norun, text, line } of blocks)
      if (norun === undefined)
        expect(
          language === "text" && /^waymark [a-z]/m.test(text) && !/^waymark [a-z]+ .*[<[]/m.test(text),
          `${page}:${line}`,
        ).toBe(false);
  });

  test("servers are started with what they take, by whatever starts them", () => {
    for (const { text } of blocks)
      for (const line of text.split("\n").filter((one) => /\bserve --http /.test(one)))
        expect(unknownToServe(line), line).toEqual([]);
  });
});

test.each([...pages, ...otherPages])("every link of %s leads to a page and a heading that exist", (page) => {
  expect(linksOf(readFileSync(join(home, page), "utf8")).filter((target) => !leadsSomewhere(page, target))).toEqual([]);
});

/** The targets of a page's links and pictures, without code. */
function linksOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
}

function withoutCode(text: string): string {
  return text.replaceAll(/^(`{3,})[\s\S]*?^\1$|`[^`\n]+`/gm, "");
}

function leadsSomewhere(page: string, target: string): boolean {
  if (/^[a-z]+:/.test(target)) return true; // the tests reach no network
  const [path = "", heading] = target.split("#");
  const file = path === "" ? join(home, page) : join(home, dirname(page), path);
  if (!existsSync(file)) return false;
  return heading === undefined || anchorsOf(readFileSync(file, "utf8")).includes(heading);
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(text: string): string[] {
  const headings = text.replaceAll(/^(`{3,})[\s\S]*?^\1$/gm, "").matchAll(/^#{1,6} (.+)$/gm);
  const names = [...headings].map(([, words = ""]) =>
    words
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return names.map((name, at) => {
    const before = names.slice(0, at).filter((one) => one === name).length;
    return before === 0 ? name : `${name}-${before}`;
  });
}

test("the index of the docs names every page", () => {
  const index = linksOf(readFileSync(join(home, "docs/README.md"), "utf8"));
  const named = pages.filter((page) => page.startsWith("docs/") && page !== "docs/README.md");
  expect(named.filter((page) => !index.includes(page.slice("docs/".length)))).toEqual([]);
});

test("the guide for authors, typed along, ends in a bot that checks clean and is walked to its end", async () => {
  const folder = makeFolder();
  for (const block of blocksOf("docs/first-bot.md")) {
    writeBlock(block, folder);
    for (const line of commandsOf(block)) await runLine(line, folder);
  }
  expect(JSON.parse((await runCli(["check", "--json"], folder)).stdout).findings).toEqual([]);
  const window = await openWindow(folder);
  const answer = await window.call("record_bot");
  expect(answer).toMatchObject({ status: "started", behavior: "write", action: "gather_context", warnings: [] });
  expect(answer.instructions).toContain("What happens if nobody decides?");
  const record = "# We meet online\n\n## Decision\n\nOnline.\n\n## Consequences\n\nNobody travels.\n";
  const submission = (given: object) => window.call("complete_action", { confirmation: "yes", ...given });
  expect(await submission({ outputs: { what: "where we meet" } })).toMatchObject({ status: "completed" });
  await window.call("record_bot");
  expect(await submission({ outputs: { reversible: "Easily" } })).toMatchObject({ status: "completed" });
  const rendering = await window.call("record_bot");
  expect(rendering.instructions).toContain("records/");
  const path = "records/we-meet-online.md";
  expect(await submission({ content: [{ path, text: record }] })).toMatchObject({ status: "completed" });
  await window.call("record_bot");
  expect(await submission({})).toMatchObject({
    error: "incomplete_checkpoint",
    missing_evidence: [expect.stringContaining("people_heard")],
  });
  const lacking = await submission({ evidence: { people_heard: 6 } });
  expect(lacking).toMatchObject({ status: "refused", error: "check_failed" });
  expect(lacking.message).toContain(`names_the_alternatives in ${path}`);
  const whole = record.replace(
    "## Cons",
    "## Options not taken\n\nThe office: four of six travel for an hour.\n\n## Cons",
  );
  const done = await submission({ content: [{ path, text: whole }], evidence: { people_heard: 6 } });
  expect(done).toMatchObject({ status: "workflow_complete", warnings: [] });
  expect(readFileSync(join(folder, "decisions", path), "utf8")).toBe(whole);
  const correction = { rule: "names_the_alternatives", dont: "We chose X.", do: "We chose X; Y was too slow." };
  const given = { action: "correct_bot", inputs: correction };
  expect(await window.call("record_bot", given)).toMatchObject({ status: "awaiting_human" });
  expect(await window.call("record_bot", { ...given, confirmation: "yes" })).toMatchObject({ status: "completed" });
});

test("the recording in docs/demo.svg shows scenes of the demonstration as they are today", async () => {
  const demo = readFileSync(join(home, "examples/demo/demo.mjs"), "utf8");
  const recording = readFileSync(join(home, "docs/demo.svg"), "utf8");
  const said = recording.replaceAll(/<[^>]+>/g, "").replaceAll("&gt;", ">");
  const scenes = [...demo.matchAll(/^scene\((\d+), "([^"]+)"\);$/gm)].map(([, number, title]) => `${number}. ${title}`);
  const recorded = [...said.matchAll(/^\d+\. .*$/gm)].map(([title]) => title);
  expect(recorded.length).toBeGreaterThan(2);
  expect(Number(/height="(\d+)"/.exec(recording)?.[1])).toBeLessThan(700); // on one screen
  expect(recorded.filter((title) => !scenes.includes(title))).toEqual([]);
  expect(said).toContain("tests_passed (claimed 12, found 11)");
  const shown = blocksOf("README.md").filter(({ language }) => language === "text");
  for (const line of shown.flatMap(({ text }) => text.split("\n"))) expect(said).toContain(line.trim());
});

describe("docs/security.md", () => {
  const attacks = readAttacks();

  test.each(attacks.map((one) => [one.tried, one] as const))("%s: says what happens, and a test follows", (_, one) => {
    expect(one.problems).toEqual([]);
    expect(one.result).toMatch(/\S/);
  });

  test("shows the attacks as the tests name them (npm run attacks)", () => {
    expect(readFileSync(join(home, "docs/security.md"), "utf8")).toBe(writtenPage());
  });

  test("every file of attacks has a row", () => {
    const named = new Set(attacks.flatMap(({ tests }) => tests));
    const files = readdirSync(join(home, "test/attacks")).filter((name) => name.endsWith(".test.ts"));
    expect(files.filter((name) => !named.has(`test/attacks/${name}`))).toEqual([]);
  });
});

describe("the docs are short", () => {
  const hand = pages.filter((page) => page !== "README.md" && !page.startsWith("docs/reference/"));

  test.each(hand)("%s has at most 1,800 words", (page) => {
    expect(wordsOf(page)).toBeLessThanOrEqual(1800);
  });

  test("the README has at most 900, and all pages for users together 26,000", () => {
    expect(wordsOf("README.md")).toBeLessThanOrEqual(900);
    const pagesForUsers = hand.filter((page) => !page.startsWith("docs/internal/"));
    expect(pagesForUsers.reduce((sum, page) => sum + wordsOf(page), 0)).toBeLessThanOrEqual(26_000);
  });
});

/** The words of a page, with its blocks of code, without tables that are written from the code. */
function wordsOf(page: string): number {
  const text = readFileSync(join(home, page), "utf8").replaceAll(
    /<!-- (\w+): written by[\s\S]*?<!-- end of \1 -->/g,
    "",
  );
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
