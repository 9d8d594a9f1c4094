import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { removeFolder } from "./temporary.ts";

/** The actions of a behavior, in order. */
export const actions = [
  "gather_context",
  "decide_planning_criteria",
  "build_knowledge",
  "render_output",
  "validate_rules",
] as const;

export type Project = {
  readonly root: string;
  path(file: string): string;
  write(file: string, content: unknown): void;
  read(file: string): string;
  json(file: string): Record<string, unknown>;
  state(): StateFile;
  log(): LogEntry[];
  remove(file: string): void;
};

export type StateFile = {
  current_behavior: string;
  current_action: string;
  action_state: string;
  timestamp: string;
  completed_actions: { action_state: string; timestamp: string; duration: number }[];
  workflow_complete?: boolean;
};

export type LogEntry = {
  timestamp: string;
  behavior: string;
  action: string;
  action_state: string;
  inputs: Record<string, unknown>;
  outputs: Record<string, unknown>;
  duration: number | null;
};

export const behaviors = ["shape", "prioritization", "discovery", "exploration", "scenarios", "tests"];

/** A project of its own for one test, with the story bot of the seeds: six behaviors, five actions, correct_bot beside them. */
export function makeProject(): Project {
  const root = mkdtempSync(join(tmpdir(), "waymark-test-"));
  onTestFinished(() => removeFolder(root));
  const project = projectAt(root);
  actions.forEach((name, index) => {
    const auto = name === "build_knowledge" ? { auto_progress: true } : {};
    project.write(`.waymark/base_actions/${name}/action_config.json`, {
      name,
      workflow: true,
      order: index + 1,
      next_action: actions[index + 1] ?? null,
      ...auto,
    });
    project.write(`.waymark/base_actions/${name}/instructions.md`, `Base instructions of ${name}.`);
  });
  project.write(".waymark/base_actions/correct_bot/action_config.json", {
    name: "correct_bot",
    workflow: false,
    order: null,
    next_action: null,
  });
  project.write(".waymark/base_actions/correct_bot/instructions.md", "Base instructions of correct_bot.");
  project.write(".waymark/bots/story_bot/bot_config.json", { name: "story_bot", behaviors });
  return project;
}

/** The files of a project, wherever it stands. */
export function projectAt(root: string): Project {
  const path = (file: string): string => join(root, file);
  const read = (file: string): string => readFileSync(path(file), "utf8");
  return {
    root,
    path,
    read,
    json: (file) => JSON.parse(read(file)),
    write: (file, content) => {
      mkdirSync(dirname(path(file)), { recursive: true });
      writeFileSync(path(file), typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`);
    },
    state: () => JSON.parse(read("workflow_state.json")),
    log: () => JSON.parse(read("activity_log.json")),
    remove: (file) => rmSync(path(file), { recursive: true }),
  };
}
