import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { reportsFolder, type TestCommand } from "./test-command.ts";

const junit = { format: "junit", path: `${reportsFolder}/junit.xml` } as const;

/** The command for pytest; undefined if nothing in the project mentions it. */
export function pytestTests(root: string): TestCommand | undefined {
  const files = ["pyproject.toml", "setup.cfg", "setup.py", "tox.ini", "Pipfile"].filter((file) =>
    existsSync(join(root, file)),
  );
  const listed = readdirSync(root).filter((file) => /^requirements[\w.-]*\.txt$/.test(file));
  const text = [...files, ...listed].map((file) => readFileSync(join(root, file), "utf8")).join("\n");
  const configs = ["pytest.ini", "conftest.py"].filter((file) => existsSync(join(root, file)));
  if (configs.length === 0 && !/\bpytest\b/.test(text)) return undefined;
  const isCovered = /\bpytest[-_]cov\b/.test(text);
  const start = existsSync(join(root, "uv.lock"))
    ? ["uv", "run", "python"]
    : existsSync(join(root, "poetry.lock"))
      ? ["poetry", "run", "python"]
      : ["python3"];
  const coverage = `${reportsFolder}/coverage.xml`;
  return {
    tool: "pytest",
    run: [
      ...[...start, "-m", "pytest", "-p", "no:cacheprovider", `--junitxml=${junit.path}`],
      ...(isCovered ? ["--cov", `--cov-report=xml:${coverage}`] : []),
    ],
    reports: [junit, ...(isCovered ? [{ format: "cobertura", path: coverage } as const] : [])],
    pins: ["pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini"].filter((file) => existsSync(join(root, file))),
    // Running pytest leaves compiled files and coverage data behind.
    reads: ["**/*.py", "*.toml", "*.ini", "*.cfg", "requirements*.txt"],
    ...(isCovered ? {} : { lacks: "for coverage, add pytest-cov to the project" }),
  };
}

/** The command for Go tests, counted with gotestsum if it is installed. */
export function goTests(path: string): TestCommand {
  const isCounted = path.split(delimiter).some((folder) => folder !== "" && existsSync(join(folder, "gotestsum")));
  return {
    tool: "go",
    run: isCounted ? ["gotestsum", `--junitfile=${junit.path}`, "--", "./..."] : ["go", "test", "./..."],
    reports: isCounted ? [junit] : [],
    pins: [],
    reads: ["**/*.go", "go.mod", "go.sum", "**/testdata/**"],
    ...(isCounted ? {} : { lacks: "to count the tests, install gotestsum (gotest.tools/gotestsum)" }),
  };
}

/** The command for a crate's tests, counted with cargo-nextest if the project has it write a report. */
export function cargoTests(root: string): TestCommand {
  const config = join(root, ".config/nextest.toml");
  const text = existsSync(config) ? readFileSync(config, "utf8") : "";
  const [, profile, path] = /\[profile\.([\w-]+)\.junit\][^[]*?path\s*=\s*"([^"]+)"/.exec(text) ?? [];
  const reads = ["**/src/**", "**/tests/**", "**/benches/**", "**/Cargo.toml", "Cargo.lock", "build.rs"];
  if (profile === undefined || path === undefined)
    return {
      ...{ tool: "cargo", run: ["cargo", "test"], reports: [], pins: [], reads },
      lacks: 'to count the tests, use cargo-nextest with [profile.ci.junit] path = "junit.xml" in .config/nextest.toml',
    };
  return {
    tool: "cargo",
    run: ["cargo", "nextest", "run", "--profile", profile],
    reports: [{ format: "junit", path: `target/nextest/${profile}/${path}` }],
    pins: [".config/nextest.toml"],
    reads,
  };
}
