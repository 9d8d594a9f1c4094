import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { onTestFinished } from "vitest";
import { hosts } from "../../src/hosts/all-hosts.ts";
import type { Host, HostId } from "../../src/hosts/host.ts";
import { applyPlan } from "../../src/hosts/init/apply.ts";
import { type InitPlan, writesAnything } from "../../src/hosts/init/change.ts";
import { chooseStart } from "../../src/hosts/init/choose-start.ts";
import type { History } from "../../src/hosts/init/git-files.ts";
import { planInit } from "../../src/hosts/init/plan.ts";
import { planRemoval } from "../../src/hosts/init/plan-removal.ts";
import type { Template } from "../../src/hosts/init/template.ts";

/** A project and a home folder of their own, on which init is tried. */
export type Bench = {
  readonly root: string;
  readonly home: string;
  write(file: string, text: string): void;
  read(file: string): string;
  /** Every file of the project and the home folder, with its text. */
  all(): Record<string, string>;
  plan(wish: Partial<Wished>): InitPlan | { readonly problem: string };
  init(wish: Partial<Wished>): readonly string[];
  remove(clients?: readonly HostId[]): readonly string[];
};

type Wished = {
  readonly template: Template;
  readonly clients: readonly HostId[];
  readonly command: string;
  readonly history: History;
  readonly noHooks: true;
};

/** Sets up an empty bench. Names that begin with `~/` are in the home folder. */
export function makeBench(): Bench {
  const top = mkdtempSync(join(tmpdir(), "waymark-init-"));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const root = join(top, "project");
  const home = join(top, "home");
  for (const folder of [root, home]) mkdirSync(folder);
  const path = (file: string): string => (file.startsWith("~/") ? join(home, file.slice(2)) : join(root, file));
  const script = join(import.meta.dirname, "../../dist/waymark.js");
  const place = (command?: string) => ({
    root,
    home,
    start: chooseStart({
      root,
      script,
      node: process.execPath,
      platform: "linux",
      path: "",
      ...(command ? { command } : {}),
    }),
  });
  const plan: Bench["plan"] = ({ template, clients = [], command, history, noHooks }) =>
    planInit({
      ...place(command),
      hosts: named(clients),
      replace: command !== undefined,
      ...(template === undefined ? {} : { template }),
      ...(history === undefined ? {} : { history }),
      ...(noHooks === undefined ? {} : { noHooks }),
    });
  const apply = (planned: InitPlan | { readonly problem: string }): readonly string[] => {
    if ("problem" in planned) throw new Error(planned.problem);
    const { problem } = applyPlan(planned);
    if (problem !== undefined) throw new Error(problem);
    return planned.changes.filter(writesAnything).map((change) => relative(root, change.path));
  };
  return {
    root,
    home,
    write: (file, text) => {
      mkdirSync(dirname(path(file)), { recursive: true });
      writeFileSync(path(file), text);
    },
    read: (file) => readFileSync(path(file), "utf8"),
    all: () => ({ ...filesIn(root), ...filesIn(home) }),
    plan,
    init: (wish) => apply(plan(wish)),
    remove: (clients) =>
      apply(planRemoval({ ...place(), hosts: clients ? named(clients) : hosts, onlyHosts: clients !== undefined })),
  };
}

function named(clients: readonly HostId[]): Host[] {
  return hosts.filter(({ id }) => clients.includes(id));
}

function filesIn(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = found.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [path, readFileSync(path, "utf8")]));
}
