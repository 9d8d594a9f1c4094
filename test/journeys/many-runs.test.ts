import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { makeProject, type Project, type StateFile } from "../project.ts";
import { wholeOr } from "../whole.ts";
import { openProcess, openWindow, type Window } from "../window.ts";

/** How many runs there are, how often each of the processes is killed, and how many calls it has under way at once. */
const { runs, lives, lanes } = wholeOr({ runs: 50, lives: 12, lanes: 13 }, { runs: 12, lives: 2, lanes: 3 });
const processes = 4;
const names = Array.from({ length: runs }, (_, index) => `run-${index}`);

/** A completion that was answered: nothing may take it back. */
type Acknowledged = { readonly run: string; readonly token: string };

test(`${runs} runs at once by ${processes} processes that are killed ${processes * lives} times: nothing acknowledged is lost, nothing is in two histories, and each is one line`, async () => {
  const project = makeProject();
  const acknowledged: Acknowledged[] = [];
  const mistakes: string[] = [];
  await Promise.all(
    Array.from({ length: processes }, async (_, number) => {
      for (let life = 0; life < lives; life++) await live(project, `${number}.${life}`, acknowledged, mistakes);
    }),
  );
  expect(mistakes).toEqual([]);
  expect(acknowledged.length).toBeGreaterThanOrEqual(processes * lives);

  // Whoever comes next brings each run's files up to date.
  const last = await openWindow(project.root);
  for (const run of names) await last.call("story_bot", { run, resume: "continue" });
  await last.close();
  const recorded = names.map((run) => ({ run, completions: completionsOf(project, run) }));
  for (const { run, completions } of recorded) {
    const tokens = completions.map(({ token }) => token);
    expect(tokens.filter((token) => !token.startsWith(`${run} `))).toEqual([]);
    const own = acknowledged.filter((one) => one.run === run).map(({ token }) => token);
    expect(own.filter((token) => !tokens.includes(token))).toEqual([]);
    expect(new Set(tokens).size).toBe(tokens.length);
    const steps = completions.map(({ step }) => step);
    expect(new Set(steps).size).toBe(steps.length);
    expect(shownOf(project, run)).toEqual(completions.map(({ path }) => path));
  }
  expect(existsSync(project.path("workflow_state.json"))).toBe(false);
  expect(existsSync(project.path(".waymark/kept"))).toBe(false);

  const { code, stdout } = await runCli(["verify", "--json", "--root", project.root]);
  const { whole, desks: streams, problems } = JSON.parse(stdout);
  expect({ code, whole, problems }).toEqual({ code: 0, whole: true, problems: [] });
  expect(streams).toHaveLength(recorded.length);
  process.stdout.write(`${runs} runs, ${processes * lives} kills, ${acknowledged.length} acknowledged, 0 lost\n`);
});

/** One life of a process: it works at several runs at once, and is killed in the middle of it. */
async function live(project: Project, by: string, acknowledged: Acknowledged[], mistakes: string[]): Promise<void> {
  const window = await openProcess(project.root, { name: by });
  const chance = chancesOf(by);
  let death: Promise<void> | undefined;
  const dieSoon = (): void => {
    death ??= new Promise((resolve) => setTimeout(resolve, chance(40))).then(window.kill);
  };
  const beforeDeath = lanes + chance(lanes * 2);
  let done = 0;
  const lane = async (number: number): Promise<void> => {
    for (let turn = 0; ; turn++) {
      const run = names[chance(runs)] ?? "";
      const token = `${run} ${by}.${number}.${turn}`;
      const status = await step(window, run, token);
      if (status === "completed" || status === "workflow_complete") acknowledged.push({ run, token });
      // Another may have taken the step, or completed it: that is an answer, and nothing else is.
      else if (status !== "refused") mistakes.push(`${token}: ${status}`);
      done += 1;
      if (done >= beforeDeath) dieSoon();
    }
  };
  // Each ends when the process is gone: the only fault that may happen.
  await Promise.allSettled(Array.from({ length: lanes }, (_, number) => lane(number)));
  expect(death, `${by} ended by itself: ${window.stderr()}`).toBeDefined();
  await death;
}

/** Opens what comes next in a run and completes it, by name: several lanes may be at one run. */
async function step(window: Window, run: string, token: string): Promise<string> {
  let opened = await window.call("shape_bot", { run, resume: "continue" });
  if (opened.status === "workflow_complete") opened = await window.call("shape_bot", { run, resume: "restart" });
  const { behavior, action } = opened;
  if (opened.status !== "started") return `${opened.status} ${opened.message}`;
  const answer = await window.call("complete_action", {
    ...{ run, behavior, action, outputs: { token } },
    confirmation: "yes",
  });
  const isTaken = ["conflict", "action_sequence_violation"].includes(answer.error ?? "");
  return answer.status === "refused" && !isTaken ? `refused: ${answer.error} ${answer.message}` : answer.status;
}

/** What a journal says was completed, read without any code of ours: each record that counts names the one before it. */
function completionsOf(project: Project, run: string): { token: string; step: string; path: string }[] {
  const lines = readFileSync(project.path(`.waymark/journal/runs/story_bot/${run}.jsonl`), "utf8").split("\n");
  const found: { token: string; step: string; path: string }[] = [];
  let head = "0".repeat(64);
  for (const line of lines) {
    const record = parsed(line);
    if (record?.prev !== head) continue; // came too late, or was torn by a kill
    head = createHash("sha256").update(line).digest("hex");
    for (const { type, workflow, pass, step, outputs } of record.events)
      if (type === "completed")
        found.push({
          token: `${outputs?.token}`,
          step: `${workflow} ${pass} ${step}`,
          path: `story_bot.${workflow}.${step}`,
        });
  }
  return found;
}

type Line = {
  readonly prev: string;
  readonly events: readonly {
    readonly type: string;
    readonly workflow: string;
    readonly pass: number;
    readonly step: string;
    readonly outputs?: { readonly token?: string };
  }[];
};

function parsed(line: string): Line | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** What the state file of a run says was completed. */
function shownOf(project: Project, run: string): string[] {
  const file = project.path(`.waymark/runs/story_bot/${run}/workflow_state.json`);
  const state: StateFile = JSON.parse(readFileSync(file, "utf8"));
  return state.completed_actions.map(({ action_state }) => action_state);
}

/** Chances that are the same every time: whole numbers below a limit. */
function chancesOf(name: string): (below: number) => number {
  let turn = 0;
  return (below) => createHash("sha256").update(`${name} ${turn++}`).digest().readUInt32BE() % below;
}
