import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { genesisHash, type JournalRecord, toLine } from "../src/stores/chain/journal-record.ts";
import { type Ended, runCli } from "./command-line.ts";
import { enrolled, type Signer, streamOf } from "./people.ts";
import { actions, type Project, projectAt } from "./project.ts";
import { commitAll, git, gitInOrder, makeRepository } from "./repository.ts";
import { openWindow } from "./window.ts";

/** The gate of the first action. */
export const gate = ".waymark/base_actions/gather_context/gate-definition.yaml";
/** A gate that asks for at least so many sources. */
export const asking = (least: number): string =>
  `evidence_schema:\n  sources: {type: integer, validator: {min: ${least}}}\n`;
/** The history of a run. */
export const ofRun = (run: string): string => `.waymark/journal/runs/story_bot/${run.replaceAll("/", "%2F")}.jsonl`;
const ownFiles = ["runs", "tmp", "held", "kept", "sessions", "state", "open", "index", "backups", "notices"];
const ignored = ["workflow_state.json", "activity_log.json", ...ownFiles.map((name) => `.waymark/${name}/`)];

/** Commits everything. */
export function commit(project: Project, message: string): void {
  commitAll(project.root, message, "--allow-empty");
}

/** The main branch of a project whose git keeps the histories. */
export function agreed(): Project {
  const project = makeRepository();
  project.write(".gitignore", `${ignored.join("\n")}\n.waymark/journal/**/*.published\n.waymark/journal/**/*.shown\n`);
  project.write(".waymark/config.json", { history: "committed" });
  project.write(".waymark/identity.json", { project: "5e".repeat(16) });
  project.write(gate, asking(3));
  commit(project, "what was agreed on");
  return project;
}

/** A clone on a machine of its own, with the branch of a pull request. */
export function cloneOf(project: Project, branch?: string): Project {
  const root = mkdtempSync(join(tmpdir(), "waymark-pull-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const checkout = branch === undefined ? [] : [["-C", "clone", "checkout", "-q", "-b", branch]];
  gitInOrder(root, ["clone", "-q", project.root, "clone"], ...checkout);
  return projectAt(join(root, "clone"));
}

/** Walks the behavior on a branch and commits its history. */
export async function walk(project: Project, run?: string, sources = 3): Promise<void> {
  const window = await openWindow(project.root);
  const named = run === undefined ? {} : { run };
  for (const _ of actions) {
    await window.call("shape_bot", named);
    await window.call("complete_action", { ...named, evidence: { sources }, confirmation: "yes" });
  }
  await window.close();
  commit(project, "walked");
}

/** Merges a pull request into the main branch. */
export function merge(project: Project, clone: Project, branch: string): void {
  const fetch = ["fetch", "-q", clone.root, `${branch}:${branch}`];
  gitInOrder(project.root, fetch, ["merge", "-q", "--no-ff", "-m", "merged", branch]);
}

/** Judges a pull request on a machine that has seen nothing, as the recommended job does. */
export function judge(clone: Project, ...more: string[]): Promise<Ended> {
  git(clone.root, "fetch", "-q", "origin");
  const machine = mkdtempSync(join(tmpdir(), "waymark-machine-"));
  onTestFinished(() => rmSync(machine, { recursive: true, force: true }));
  return runCli(["verify", "--root", clone.root, "--require", "shape", "--base", "origin/main", ...more], clone.root, {
    XDG_STATE_HOME: machine,
  });
}

const proven = "approval: {level: proven, by: [dana]}\n";

/** A walk in which dana approves a plan with her key, from her own machine. */
export async function approvedWalk(project: Project, dana: Signer, run: string): Promise<void> {
  const window = await openWindow(project.root);
  await window.call("shape_bot", { run });
  const content = [{ path: "plan.md", text: "# Plan\n" }];
  await window.call("complete_action", { run, content, confirmation: "dana agrees" });
  const { answers, waiting } = await streamOf(project, run);
  expect(await answers(dana.signs({ ...(await waiting()).about, decision: "approve" }))).toBe("completed");
  for (const _ of actions.slice(1)) {
    await window.call("shape_bot", { run });
    await window.call("complete_action", { run, confirmation: "yes" });
  }
  await window.close();
  commit(project, "walked");
}

/** The same definitions and approvers in a project of its own. */
export async function agreedWithDana(dana: Signer, identity: string): Promise<Project> {
  const project = agreed();
  project.write(gate, proven);
  project.write(".waymark/identity.json", { project: identity });
  await enrolled(project, dana);
  commit(project, "dana approves");
  return project;
}

/** A history without events of some types and with one more, every hash right. */
export function withEvents(text: string, without: readonly string[], more?: object): string {
  let prev = genesisHash;
  const records: JournalRecord[] = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  return records
    .map((record, at) => {
      const events = record.events.filter(({ type }) => !without.includes(type));
      const last = events.at(-1);
      const added =
        more === undefined || at < records.length - 1 || last === undefined ? [] : [{ ...more, at: last.at, by: "x" }];
      const line = toLine({ ...record, prev, events: [...events, ...added] } as JournalRecord);
      prev = line.hash;
      return `${line.text}\n`;
    })
    .join("");
}

/** The lines of a history. */
export const linesOf = (project: Project, file: string): string[] => project.read(file).trimEnd().split("\n");
