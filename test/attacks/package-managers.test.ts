import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Project } from "../project.ts";
import { provingProject, trustAll } from "../proving.ts";
import { oneOf, wholeOr } from "../whole.ts";
import { openWindow, type Window } from "../window.ts";

const tools = join(import.meta.dirname, "../hosts/node_modules");

/** A home folder whose configuration belongs to these tests; the toolchains of this machine stay where they are. */
let home: string;
const before = { ...process.env };
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "waymark-home-"));
  process.env.CARGO_HOME ??= join(homedir(), ".cargo");
  process.env.RUSTUP_HOME ??= join(homedir(), ".rustup");
  process.env.HOME = home;
});
afterAll(() => {
  // key by key: a plain object in place of the environment would no longer reach the process
  for (const name of ["CARGO_HOME", "RUSTUP_HOME", "HOME"]) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  rmSync(home, { recursive: true, force: true });
});

/** A package manager, how a project of it looks, and what sends its trusted test command elsewhere. */
type Manager = {
  readonly run: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly pins?: readonly string[];
  readonly env?: readonly string[];
  readonly prepare?: readonly string[];
  /** Files that an assistant writes, each of which turns the tests off. */
  readonly attacks: readonly (readonly [string, string])[];
};

const script = (more: object = {}): string =>
  JSON.stringify({ name: "a", version: "1.0.0", license: "MIT", scripts: { test: "node tests.cjs" }, ...more });
const failing = 'console.log("the real tests"); process.exit(1);\n';
const pinned = ["package.json#/scripts/test"];
const sh = "#!/bin/sh\nexit 0\n";
const node = {
  "package.json": script(),
  "tests.cjs": failing,
  "evil.cjs": "process.exit(0);\n",
  "evil.sh": sh,
};
const workspace = {
  "package.json": script({ private: true, workspaces: ["packages/*"] }),
  "packages/b/package.json": script({ name: "b" }),
  "packages/b/tests.cjs": failing,
  "packages/b/evil.cjs": "process.exit(0);\n",
  "packages/b/evil.sh": sh,
};
const of = (name: string, ...bin: readonly string[]): readonly string[] => ["node", join(tools, name, ...bin), "test"];

const managers: Readonly<Record<string, Manager>> = {
  npm: {
    run: ["npm", "test"],
    files: node,
    pins: pinned,
    attacks: [
      [".npmrc", "node-options=--require ./evil.cjs\n"],
      [".npmrc", "ignore-scripts=true\n"],
      [".npmrc", "; a comment\r\n  script-shell = ./evil.sh\r\n"],
      [".npmrc", "prefix=./conf\n"],
    ],
  },
  pnpm: {
    run: of("pnpm", "bin/pnpm.cjs"),
    files: node,
    pins: pinned,
    attacks: [
      ["pnpm-workspace.yaml", "nodeOptions: --require ./evil.cjs\n"],
      ["pnpm-workspace.yaml", "scriptShell: ./evil.sh\n"],
      [".npmrc", "node-options=--require ./evil.cjs\n"],
      [".npmrc", "script-shell=./evil.sh\n"],
      [".npmrc", "node-options = --require=./evil.cjs\n"],
      [".pnpmfile.cjs", "process.exit(0);\n"],
      ["package.json", script({ pnpm: { executionEnv: { nodeVersion: "0.0.1" } } })],
      ["package.json", script({ packageManager: "pnpm@0.0.1" })],
      ["package.json", script({ devEngines: { runtime: { name: "node", version: "0.0.1", onFail: "download" } } })],
    ],
  },
  "yarn 1": {
    run: of("yarn", "bin/yarn.js"),
    files: node,
    pins: pinned,
    attacks: [
      [".yarnrc", 'yarn-path "./evil.cjs"\n'],
      [".yarnrc", 'script-shell "./evil.sh"\n'],
      [".yarnrc", '"script-shell" "./evil.sh"\n'],
      [".npmrc", "script-shell=./evil.sh\n"],
    ],
  },
  "yarn 4": {
    run: of("@yarnpkg/cli-dist", "bin/yarn.js"),
    files: { ...node, "yarn.lock": "" },
    prepare: ["node", join(tools, "@yarnpkg/cli-dist/bin/yarn.js"), "install"],
    pins: pinned,
    attacks: [
      [".yarnrc.yml", "yarnPath: ./evil.cjs\n"],
      [".yarnrc.yml", "plugins: [./evil.cjs]\n"],
      [".yarnrc.yml", "injectEnvironmentFiles: [.env]\n"],
      [".env.yarn", "NODE_OPTIONS=--require ./evil.cjs\n"],
    ],
  },
  "yarn 1, of a workspace": {
    run: ["node", join(tools, "yarn/bin/yarn.js"), "workspace", "b", "test"],
    files: workspace,
    pins: ["packages/b/package.json#/scripts/test"],
    attacks: [
      ["packages/b/.yarnrc", 'yarn-path "./evil.cjs"\n'],
      ["packages/b/.yarnrc", 'script-shell "./evil.sh"\n'],
      ["packages/b/.npmrc", "script-shell=./evil.sh\n"],
    ],
  },
  "yarn 4, of a workspace": {
    run: ["node", join(tools, "@yarnpkg/cli-dist/bin/yarn.js"), "workspace", "b", "run", "test"],
    files: { ...workspace, "yarn.lock": "", "packages/b/.env": "NODE_OPTIONS=--require ./evil.cjs\n" },
    prepare: ["node", join(tools, "@yarnpkg/cli-dist/bin/yarn.js"), "install"],
    pins: ["packages/b/package.json#/scripts/test"],
    attacks: [["packages/b/.yarnrc.yml", 'injectEnvironmentFiles: [".env"]\n']],
  },
  npx: {
    run: ["npx", "runner"],
    files: { ...node, "node_modules/.bin/runner": `#!/usr/bin/env node\n${failing}`, "evil.cjs": sh },
    attacks: [["package.json", script({ bin: { runner: "./evil.cjs" } })]],
  },
  cargo: {
    run: ["cargo", "test", "--offline"],
    env: ["CARGO_HOME", "RUSTUP_HOME"],
    files: {
      "Cargo.toml": '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n',
      "src/lib.rs": '#[test]\nfn t() {\n    panic!("the real tests");\n}\n',
      "evil.sh": sh,
    },
    attacks: [
      [".cargo/config.toml", "[target.'cfg(all())']\nrunner = \"true\"\n"],
      [".cargo/config", "[target.'cfg(all())']\nrunner = \"true\"\n"],
      [".cargo/config.toml", '[build]\nrustc-wrapper = "./evil.sh"\n'],
      [".cargo/config.toml", '[env]\nRUSTC = "./evil.sh"\n'],
      ["rust-toolchain.toml", '[toolchain]\npath = "./evil"\n'],
      ["rust-toolchain", "nightly\n"],
    ],
  },
  pytest: {
    run: ["python3", "-m", "pytest", "-q", "-p", "no:cacheprovider"],
    pins: ["pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg", "conftest.py", "pytest.py", ".pytest.ini"],
    files: { "test_a.py": 'def test_a():\n    assert False, "the real tests"\n' },
    attacks: [
      ["pytest.ini", "[pytest]\naddopts = --collect-only\n"],
      ["pytest.ini", ""],
      [".pytest.ini", "[pytest]\naddopts = --collect-only\n"],
      ["pyproject.toml", '[tool.pytest.ini_options]\naddopts = "--collect-only"\n'],
      ["tox.ini", "[pytest]\naddopts = --collect-only\n"],
      ["setup.cfg", "[tool:pytest]\naddopts = --collect-only\n"],
      ["conftest.py", "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n"],
      ["pytest.py", "raise SystemExit(0)\n"],
    ],
  },
  go: {
    run: ["go", "test", "./..."],
    files: {
      "go.mod": "module a\n",
      "a_test.go": 'package a\nimport "testing"\nfunc TestA(t *testing.T) { t.Fatal("the real tests") }\n',
    },
    attacks: [
      ["go.work", "go 1.22\nuse ./evil\n"],
      ["~/.config/go/env", "GOFLAGS=-exec=true\n"],
    ],
  },
};

/** What npm installs for the tests is always here; of the rest, what this machine has. */
const isHere = ([program = ""]: readonly string[]): boolean =>
  program === "node" || spawnSync(program, [program === "go" ? "version" : "--version"]).error === undefined;

/** A project of this manager, whose first action is proved by its tests. */
function projectOf({ run, files, pins, env, prepare: [program, ...args] = [] }: Manager): Project {
  const project = provingProject({ passed: 1 }, JSON.stringify({ checks: [{ name: "tests", run, pins, env }] }));
  for (const [file, text] of Object.entries(files)) {
    project.write(file, text);
    if (text.startsWith("#!")) chmodSync(project.path(file), 0o755);
  }
  if (program !== undefined) {
    // In CI, Yarn would not write a lockfile.
    const env = { ...process.env, YARN_ENABLE_IMMUTABLE_INSTALLS: "false" };
    const { status, stdout } = spawnSync(program, args, { cwd: project.root, env, encoding: "utf8" });
    if (status !== 0) throw new Error(stdout);
  }
  return project;
}

async function outcome(window: Window): Promise<string> {
  for (;;) {
    const { status, error, checks } = await window.call("complete_action", { confirmation: "yes" });
    if (status !== "checking") return `${error ?? status}: ${checks?.[0]?.output ?? ""}`;
  }
}

const sample = ["pnpm", "yarn 4, of a workspace"];
const here = Object.entries(managers).filter(([name, { run }]) => wholeOr(true, sample.includes(name)) && isHere(run));

// Attack (file tools): Configure the package manager of a trusted command (npm, pnpm, Yarn, Bun, Cargo, Go, Maven, Gradle, uv): anywhere in the project, above it, in your home folder, or a file that one of these names
describe.each(here)("with file tools: a trusted test command of %s", (_name, manager) => {
  test("runs the real tests, and each file that would turn them off needs trust first", async () => {
    const project = projectOf(manager);
    await trustAll(project);
    const window = await openWindow(project.root);
    await window.call("shape_bot");
    expect(await outcome(window)).toMatch(/^check_failed[\s\S]*the real tests/);
    for (const [file, text] of oneOf(3, manager.attacks)) {
      const path = file.startsWith("~/") ? join(home, file.slice(2)) : project.path(file);
      const known = existsSync(path) ? readFileSync(path, "utf8") : undefined;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      expect(await outcome(window), `${file}: ${text}`).toMatch(/^check_untrusted/);
      if (known === undefined) rmSync(path);
      else writeFileSync(path, known);
    }
    // The first of them does turn them off where a person trusts it.
    const [[file, text] = ["", ""]] = manager.attacks;
    project.write(file, text);
    await trustAll(project);
    expect(await outcome(window)).toMatch(/^completed/);
  });
});
