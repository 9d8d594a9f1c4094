import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { makeProject, type Project, projectAt } from "../project.ts";
import { gateFile, provingProject, runsIn, trustAll } from "../proving.ts";
import { oneOf } from "../whole.ts";
import { openWindow, type Window } from "../window.ts";

const yes = { confirmation: "yes" };

const gateOf = (run: string, more = ""): string =>
  `checks:\n  - name: tests\n    run: ${run}\n    pins: ["package.json#/scripts/test"]\n${more}`;

const manifest = { name: "a", version: "1.0.0", scripts: { test: "node run-tests.cjs" } };

/** The home folder of this test, so that nobody's own configuration is touched. */
let home: string;
let homeBefore: string | undefined;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "waymark-home-"));
  homeBefore = process.env.HOME;
  process.env.HOME = home;
});
afterEach(() => {
  process.env.HOME = homeBefore;
  rmSync(home, { recursive: true, force: true });
});

async function trusted(gate = gateOf("[npm, test, --silent]"), root?: Project): Promise<[Project, Window]> {
  const project = root ?? provingProject({ passed: 1, silent: true }, gate);
  if (root !== undefined) {
    project.write(
      "run-tests.cjs",
      readFileSync(provingProject({ passed: 1, silent: true }).path("run-tests.cjs"), "utf8"),
    );
    project.write("plan.json", { passed: 1, silent: true });
    project.write(gateFile, gate);
  }
  project.write("package.json", manifest);
  await trustAll(project);
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  return [project, window];
}

const complete = async (window: Window): Promise<string> => {
  const answer = await window.call("complete_action", yes);
  return String(answer.error ?? answer.status);
};

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const redirect = "node-options=--require ./evil.cjs\n";

/** Configuration that sends a trusted `npm test` elsewhere, in the dialects that npm reads. */
const configurations: readonly (readonly [string, (project: Project) => void])[] = [
  ["a plain .npmrc", (p) => p.write(".npmrc", redirect)],
  ["a quoted key", (p) => p.write(".npmrc", '"node-options"="--require ./evil.cjs"\n')],
  ["a key after a bare CR", (p) => p.write(".npmrc", "fund=false\rnode-options=--require ./evil.cjs")],
  ["a workspace", (p) => p.write(".npmrc", "workspace=evil\n")],
  ["another global configuration", (p) => p.write(".npmrc", "globalconfig=./conf\n")],
  ["another user configuration", (p) => p.write(".npmrc", "userconfig=./conf\n")],
  ["a byte order mark before it", (p) => p.write(".npmrc", `\ufeff${redirect}`)],
  ["an array key", (p) => p.write(".npmrc", "script-shell[]=./evil.sh\n")],
  ["a key in upper case", (p) => p.write(".npmrc", "SCRIPT-SHELL=./evil.sh\n")],
  ["the home folder's .npmrc", () => put(join(home, ".npmrc"), redirect)],
  [
    "a link",
    (p) => {
      put(join(home, "conf"), redirect);
      symlinkSync(join(home, "conf"), p.path(".npmrc"));
    },
  ],
  ["a folder in its place", (p) => mkdirSync(p.path(".npmrc"))],
  ["yarn's .yarnrc.yml", (p) => p.write(".yarnrc.yml", "yarnPath: ./evil.cjs\n")],
  ["yarn's .yarnrc", (p) => p.write(".yarnrc", 'yarn-path "./evil.cjs"\n')],
  ["pnpm's workspace file", (p) => p.write("pnpm-workspace.yaml", "scriptShell: ./evil.sh\n")],
  ["pnpm's file of hooks", (p) => p.write(".pnpmfile.cjs", "require('./evil.cjs')\n")],
  ["pnpm's configuration of the user", () => put(join(home, ".config/pnpm/rc"), redirect)],
  ["bun's configuration", (p) => p.write("bunfig.toml", 'preload = ["./evil.ts"]\n')],
  ["another package manager", (p) => p.write("package.json", { ...manifest, packageManager: "yarn@1.22.22" })],
  ["a folder below, where a script may run it again", (p) => p.write("packages/b/.npmrc", redirect)],
  ["a deeper folder below, in yarn's dialect", (p) => p.write("packages/b/c/.yarnrc.yml", "yarnPath: ./evil.cjs\n")],
  ["a version manager's choice of node", (p) => p.write(".tool-versions", "nodejs path:./evil\n")],
  ["a program of the project's own, which npx prefers", (p) => p.write("package.json", { ...manifest, bin: "./evil" })],
  ["corepack's variables", (p) => p.write(".corepack.env", "COREPACK_NPM_REGISTRY=http://localhost:1\n")],
];

// Attack (file tools): Configure the package manager of a trusted command (npm, pnpm, Yarn, Bun, Cargo, Go, Maven, Gradle, uv): anywhere in the project, above it, in your home folder, or a file that one of these names
// -> Refused: it needs trust again, and nothing is run
describe("with file tools: a trusted `npm test` needs trust again where its configuration changed, and nothing is run", () => {
  test.each(oneOf(6, configurations))("%s", async (_what, change) => {
    const [project, window] = await trusted();
    change(project);
    expect(await complete(window)).toBe("check_untrusted");
    expect(runsIn(project)).toBe(0);
  });

  test("above the project", async () => {
    const outer = mkdtempSync(join(tmpdir(), "waymark-outer-"));
    onTestFinished(() => rmSync(outer, { recursive: true, force: true }));
    const inner = join(outer, "work/project");
    mkdirSync(dirname(inner), { recursive: true });
    const { root } = makeProject();
    cpSync(root, inner, { recursive: true });
    const [project, window] = await trusted(undefined, projectAt(inner));
    writeFileSync(join(outer, ".npmrc"), redirect);
    expect(await complete(window)).toBe("check_untrusted");
    expect(runsIn(project)).toBe(0);
  });

  test("a file that a trusted configuration names", async () => {
    const project = provingProject({ passed: 1, silent: true }, gateOf("[npm, test, --silent]"));
    project.write("package.json", manifest);
    project.write(".npmrc", "script-shell=./tools/shell.sh\nglobalconfig = ./my conf/npmrc\n");
    project.write("my conf/npmrc", "fund=false\n");
    project.write("tools/shell.sh", '#!/bin/sh\nexec sh "$@"\n');
    chmodSync(project.path("tools/shell.sh"), 0o755);
    await trustAll(project);
    const window = await openWindow(project.root);
    await window.call("shape_bot");
    for (const [file, text] of [
      ["tools/shell.sh", "#!/bin/sh\nexit 0\n"],
      ["my conf/npmrc", redirect],
    ] as const) {
      const before = readFileSync(project.path(file), "utf8");
      project.write(file, text);
      expect(await complete(window), file).toBe("check_untrusted");
      project.write(file, before);
    }
    expect(runsIn(project)).toBe(0);
    expect(await complete(window)).toBe("completed");
  });

  test("a package.json put between where it runs and the pinned one", async () => {
    const project = provingProject({ passed: 1, silent: true }, gateOf("[npm, test, --silent]", "    cwd: tests\n"));
    project.write("package.json", manifest);
    project.write("tests/keep.txt", "");
    await trustAll(project);
    const window = await openWindow(project.root);
    await window.call("shape_bot");
    project.write("tests/package.json", { scripts: { test: "true" } });
    expect(await complete(window)).toBe("check_untrusted");
  });

  test.each(
    oneOf(3, [
      "[pnpm, test]",
      "[yarn, test]",
      "[npx, vitest]",
      "[bun, run, test]",
      "[corepack, pnpm, test]",
      '[sh, -c, "cd . && npm test"]',
      "[env, CI=1, npm, test]",
      "[node, node_modules/npm/bin/npm-cli.js, test]",
      "[/usr/bin/npm, test]",
      "[npm.cmd, test]",
      "[turbo, run, test]",
    ]),
  )("by %s", async (run) => {
    const [project, window] = await trusted(gateOf(run));
    project.write(".npmrc", redirect);
    expect(await complete(window)).toBe("check_untrusted");
  });

  test.each(
    oneOf(3, [
      ["[cargo, test]", ".cargo/config.toml"],
      ["[cargo, test]", "rust-toolchain"],
      ["[go, test, ./...]", "go.work"],
      ["[mvn, test]", ".mvn/maven.config"],
      ["[./mvnw, test]", ".mvn/wrapper/maven-wrapper.properties"],
      ["[./gradlew, test]", "gradle.properties"],
      ["[uv, run, pytest]", "uv.toml"],
      ["[npx, turbo, run, test]", "turbo.json"],
      ["[make, test]", ".npmrc"],
    ] as const),
  )("by %s with %s", async (run, file) => {
    const [project, window] = await trusted(gateOf(run));
    project.write(file, "anything\n");
    expect(await complete(window)).toBe("check_untrusted");
  });

  test("a command that goes through none is not held to it", async () => {
    const [project, window] = await trusted(gateOf("[node, run-tests.cjs]"));
    project.write(".npmrc", redirect);
    expect(await complete(window)).toBe("completed");
    expect(runsIn(project)).toBe(1);
  });
});

// Attack (file tools): Make a pin absent, null or unreadable
// -> Refused: these are three states, and only the one that was trusted is trusted
describe("with file tools: a pin on nothing, on null and on something unreadable are three things, and only the trusted one is", () => {
  const states: readonly (readonly [string, (project: Project) => void])[] = [
    ["absent", () => {}],
    ["null", (p) => p.write("tool.json", { a: null })],
    ["absent in a file", (p) => p.write("tool.json", {})],
    ["a folder", (p) => p.write("tool.json/x", "")],
    ["too large", (p) => p.write("tool.json", JSON.stringify({ a: "x".repeat(9 << 20) }))],
    ["too large, but other", (p) => p.write("tool.json", JSON.stringify({ a: "y".repeat(9 << 20) }))],
    ["not JSON", (p) => p.write("tool.json", '{"a": 1')],
    ["not JSON, but other", (p) => p.write("tool.json", '{"a": 2')],
    ["not UTF-8", (p) => writeFileSync(p.path("tool.json"), Buffer.from([0x22, 0xff, 0x22]))],
    ["a value after a byte order mark", (p) => p.write("tool.json", '\ufeff{"a": 1}')],
    ["a link to nothing", (p) => symlinkSync("nowhere.json", p.path("tool.json"))],
  ];

  test.each(oneOf(3, states))("trusted as %s", async (what, make) => {
    const gate = 'checks:\n  - {name: tests, run: [node, run-tests.cjs], pins: ["tool.json#/a"]}\n';
    const project = provingProject({ passed: 1, silent: true }, gate);
    make(project);
    await trustAll(project);
    const window = await openWindow(project.root);
    await window.call("shape_bot");
    const isAbsent = (name: string): boolean => /^absent|to nothing/.test(name);
    for (const [other, change] of states.filter(([name]) => name !== what && !(isAbsent(name) && isAbsent(what)))) {
      rmSync(project.path("tool.json"), { recursive: true, force: true });
      change(project);
      expect(await complete(window), other).toBe("check_untrusted");
    }
    rmSync(project.path("tool.json"), { recursive: true, force: true });
    make(project);
    expect(await complete(window)).toBe("completed");
  });

  test("a pin of a terabyte is told by its size, without reading it", async () => {
    const [project, window] = await trusted();
    truncateSync(project.path("package.json"), 2 ** 40);
    expect(await complete(window)).toBe("check_untrusted");
  });

  test("a byte order mark before the trusted value changes nothing, as for the package manager", async () => {
    const [project, window] = await trusted();
    project.write("package.json", `\ufeff${JSON.stringify(manifest)}`);
    expect(await complete(window)).toBe("completed");
    expect(runsIn(project)).toBe(1);
  });
});

// Attack (file tools): Change a pin while its check waits or runs, and put it back
// -> Refused: pins are compared in the check's own turn, before and after it
describe("with file tools: pins are compared when the check's turn comes and when it ends", () => {
  const gate =
    'checks:\n  - {name: tests, run: [node, run-tests.cjs], pins: ["tool.json#/a", "conf/tool.json"], reads: ["*.cjs"]}\n';
  /** Says that it runs and ends when it is told. */
  const waiting = `
const fs = require("node:fs");
fs.appendFileSync(".waymark/runs.txt", "run\\n");
const until = setInterval(() => { if (fs.existsSync(".waymark/go")) { clearInterval(until); process.exit(0); } }, 20);
`;

  async function running(): Promise<[Project, Window, () => Promise<void>]> {
    const project = provingProject({ passed: 1, silent: true }, gate);
    project.write("run-tests.cjs", waiting);
    project.write("tool.json", { a: 1 });
    project.write("conf/tool.json", "{}");
    project.write(".waymark/config.json", { checks: { wait: "1s" } });
    await trustAll(project);
    const window = await openWindow(project.root);
    await window.call("shape_bot");
    const begun = async (): Promise<void> => {
      while (!existsSync(project.path(".waymark/runs.txt"))) await new Promise((resolve) => setTimeout(resolve, 10));
    };
    return [project, window, begun];
  }

  async function ended(window: Window): Promise<string> {
    for (;;) {
      const answer = await window.call("complete_action", yes);
      if (answer.status !== "checking") return String(answer.checks?.[0]?.summary ?? answer.status);
    }
  }

  test("a check that waits while its pin is changed is not run", async () => {
    const [project, window, begun] = await running();
    const other = await openWindow(project.root);
    await other.call("shape_bot", { run: "other" });
    void other.call("complete_action", { ...yes, run: "other" });
    await begun();
    expect((await window.call("complete_action", yes)).status).toBe("checking");
    project.write("tool.json", { a: 2 });
    project.write(".waymark/go", "");
    expect(await ended(window)).toMatch(/not trusted on this machine/);
    await new Promise((resolve) => setTimeout(resolve, 700)); // its turn comes within this time
    expect(runsIn(project)).toBe(1);
  });

  test.each([
    ["changed", (p: Project) => p.write("tool.json", { a: 2 })],
    [
      "changed and put back",
      (p: Project) => {
        p.write("tool.json", { a: 2 });
        p.write("tool.json", { a: 1 });
      },
    ],
    ["removed", (p: Project) => p.remove("tool.json")],
  ])("a pin %s while its check runs fails it", async (_what, change) => {
    const [project, window, begun] = await running();
    const answer = window.call("complete_action", yes);
    await begun();
    change(project);
    project.write(".waymark/go", "");
    await answer;
    const read = (): string => readFileSync(project.path(".waymark/journal/story_bot.jsonl"), "utf8");
    while (!read().includes('"type":"checked"')) await new Promise((resolve) => setTimeout(resolve, 20));
    const journal = read();
    expect(journal).toContain("changed while it ran");
    expect(journal).not.toContain('"status":"passed"');
  });

  // Attack (shell): Exchange the folder that holds a pinned file while its check runs, and put the folder back
  // -> Not caught: the file itself is as it was. It does not last in CI
  test("a folder of a pin that is exchanged while its check runs, and put back: not caught", async () => {
    const [project, window, begun] = await running();
    const answer = window.call("complete_action", yes);
    await begun();
    renameSync(project.path("conf"), project.path("kept"));
    project.write("conf/tool.json", '{"evil": true}');
    project.remove("conf");
    renameSync(project.path("kept"), project.path("conf"));
    project.write(".waymark/go", "");
    expect((await answer).status).toBe("completed");
  });
});
