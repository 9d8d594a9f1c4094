import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { declines, personWho, yes } from "../person.ts";
import { wholeOr } from "../whole.ts";
import {
  type Answer,
  type Era,
  eras,
  openCommand,
  openWindow,
  type Person,
  type Window,
  type WindowOptions,
} from "../window.ts";
import { makeBotProject, makeFolder, sharedPackages } from "./generated.ts";

type Stage = {
  /** The folder that the server works on. */
  readonly folder: string;
  open(person?: Person): Promise<Played>;
};

/** A window whose server can be ended, as it is or with its process. */
type Played = Window & { end(): Promise<void> };

/** Opens a window on a server that works on a folder. */
type Opening = (folder: string, options: WindowOptions) => Promise<Played>;

/** Serves in this process: what is answered is the same, and so is what is left behind when the window is closed. */
const serve: Opening = async (folder, options) => {
  const window = await openWindow(folder, options);
  return { ...window, end: window.close };
};

/** The generated server as a host starts it, in a process of its own that can be killed. */
const generatedServer: Opening = async (folder, options) => {
  const { out } = await generated();
  const window = await openCommand([join(out, "server.js")], { ...options, cwd: folder });
  return { ...window, end: window.kill };
};

/** The definitions of the generated package, served in this process: its runtime is the build that the processes start. */
const generatedHere: Opening = async (folder, options) => {
  const { out } = await generated();
  return serve(folder, { ...options, args: ["--definitions", join(out, "definitions")] });
};

/** Scenarios that need the process of the generated server; `npm run test:all` plays every scenario to it. */
const inProcess = [
  "after kill -9 the work is interrupted: it can be continued, and retried",
  "the last action completes the workflow, with rules checked and a step that its author skips",
];

/** One scenario, told once and played twice: to `waymark serve`, and to the generated server. */
const scenarios: Record<string, (stage: Stage) => Promise<void>> = {
  "the first call opens the first action, and a skip is refused": async ({ open }) => {
    const window = await open();
    expect(await window.call("story_bot")).toMatchObject({
      status: "started",
      behavior: "shape",
      action: "gather_context",
    });
    expect(await window.call("shape_bot", { action: "render_output" })).toMatchObject({
      isError: true,
      error: "action_sequence_violation",
    });
    expect(await window.call("story_bot")).toMatchObject({ status: "started", action: "gather_context" });
  },

  "a completed action names the next step in the words of the contract": async ({ open }) => {
    const window = await open();
    await window.call("story_bot");
    expect(await window.call("complete_action")).toMatchObject({ status: "awaiting_human" });
    const done = await window.call("complete_action", { confirmation: "yes", outputs: { users: 3 } });
    expect(done).toMatchObject({ status: "completed", next: { action: "decide_planning_criteria" } });
    expect(done.text).toContain("When done, proceed to");
  },

  "after kill -9 the work is interrupted: it can be continued, and retried": async ({ open }) => {
    const first = await open();
    await first.call("story_bot", { inputs: { topic: "tea" } });
    await first.end();
    const second = await open();
    expect(await second.call("story_bot")).toMatchObject({ status: "interrupted", action: "gather_context" });
    expect(await second.call("story_bot", { resume: "continue" })).toMatchObject({ status: "started" });
    await second.end();
    const third = await open();
    expect(await third.call("story_bot", { resume: "retry" })).toMatchObject({ status: "started" });
    await third.call("complete_action", { confirmation: "yes" });
    await third.end();
    expect(await (await open()).call("story_bot")).toMatchObject({ action: "decide_planning_criteria" });
  },

  "the last action completes the workflow, with rules checked and a step that its author skips": async ({ open }) => {
    const window = await open();
    expect((await window.call("discovery_bot")).warnings.join()).toContain("unheard_of");
    const content = [{ path: "docs/stories.md", text: "The reservation\n" }];
    expect(await window.call("complete_action", { confirmation: "yes", content })).toMatchObject({
      status: "completed",
      next: { action: "validate_rules" },
    });
    expect((await window.call("discovery_bot")).instructions).toContain("begins with an article");
    expect(await window.call("complete_action", { confirmation: "yes" })).toMatchObject({
      status: "workflow_complete",
    });
    expect(await window.call("discovery_bot", { resume: "restart" })).toMatchObject({ status: "started" });
  },

  "an edit of the state file is obeyed, with a warning": async ({ open, folder }) => {
    const window = await open();
    await window.call("story_bot");
    await window.call("complete_action", { confirmation: "yes" });
    const file = join(folder, "workflow_state.json");
    const state = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(
      file,
      JSON.stringify({ ...state, current_action: "story_bot.shape.render_output", action_state: "started" }),
    );
    expect((await window.call("story_bot")).warnings.length).toBeGreaterThan(0);
  },

  "content goes into the project, and nowhere else": async ({ open, folder }) => {
    const window = await open();
    await window.call("story_bot");
    for (const path of ["../outside.md", ".waymark/config.json", "workflow_state.json", "/etc/waymark.md"]) {
      const refused = await window.call("complete_action", { confirmation: "yes", content: [{ path, text: "x" }] });
      expect(refused).toMatchObject({ isError: true, status: "refused" });
    }
    const content = [{ path: "docs/context.md", text: "Who drinks tea?\n" }];
    expect(await window.call("complete_action", { confirmation: "yes", content })).toMatchObject({
      status: "completed",
    });
    expect(readFileSync(join(folder, "docs/context.md"), "utf8")).toBe("Who drinks tea?\n");
  },

  "a gate asks for its evidence": async ({ open }) => {
    const window = await open();
    await window.call("prioritization_bot");
    expect(await window.call("complete_action", { confirmation: "yes" })).toMatchObject({
      error: "incomplete_checkpoint",
    });
    expect(await window.call("complete_action", { confirmation: "yes", evidence: { asked: 4 } })).toMatchObject({
      status: "completed",
    });
  },

  "a person who is asked may say no, and then yes": async ({ open }) => {
    const window = await open(personWho(declines, yes("go on")).person);
    await window.call("story_bot");
    expect((await window.call("complete_action")).status).not.toBe("completed");
    expect(await window.call("complete_action", { outputs: { more: "work" } })).toMatchObject({ status: "completed" });
  },

  "the team's standards are found": async ({ open }) => {
    const window = await open();
    await window.call("story_bot");
    const found = await window.call("search_standards", { query: "how do we split a story" });
    expect(JSON.stringify(found)).toContain("never by its layers");
  },

  "an independent action runs beside the sequence; what nobody can understand is refused": async ({ open }) => {
    const window = await open();
    await window.call("story_bot");
    expect(await window.call("story_bot", { action: "correct_bot" })).toMatchObject({ action: "correct_bot" });
    expect(await window.call("story_bot", { action: "no_such_action" })).toMatchObject({ isError: true });
    expect(await window.call("story_bot", { wrong: true })).toMatchObject({ error: "invalid_input" });
    expect(await window.call("no_such_tool")).toMatchObject({ error: "invalid_input" });
  },
};

const generated = sharedPackages();

describe.each(wholeOr(eras, eras.slice(-1)))("a generated server (%s protocol)", (era) => {
  test("lists the tools, prompts and resources of serve on a root with only that bot, and those in tools.json", async () => {
    const served = await serve(makeBotProject().root, { era });
    const own = await generatedServer(makeFolder(), { era });
    const { tools } = await own.client.listTools();
    expect(tools).toEqual((await served.client.listTools()).tools);
    expect(JSON.parse(readFileSync(join((await generated()).out, "tools.json"), "utf8"))).toEqual({ tools });
    expect(await own.client.listPrompts()).toEqual(await served.client.listPrompts());
    expect(await own.client.listResources()).toEqual(await served.client.listResources());
    expect(own.client.getInstructions()).toBe(served.client.getInstructions());
    expect(own.client.getServerVersion()).toEqual(served.client.getServerVersion());
  });

  test.each(Object.entries(scenarios))("answers like serve: %s", async (name, play) => {
    const opening = wholeOr(true, inProcess.includes(name)) ? generatedServer : generatedHere;
    const [ofServe, ofGenerated] = await Promise.all([
      playOn(serve, makeBotProject().root, era, play),
      playOn(opening, makeFolder(), era, play),
    ]);
    expect(ofGenerated).toEqual(ofServe);
  });
});

test("a generated server works on the folder it is started in, or on the one it is told", async () => {
  const server = join((await generated()).out, "server.js");
  const [started, told, area] = [makeFolder(), makeFolder(), makeFolder()];
  await (await openCommand([server], { cwd: started })).call("story_bot");
  expect(existsSync(join(started, "workflow_state.json"))).toBe(true);
  await (await openCommand([server, "--root", told], { cwd: started })).call("story_bot");
  expect(existsSync(join(told, "workflow_state.json"))).toBe(true);
  await (await openCommand([server, "--project-area", area], { cwd: started })).call("story_bot");
  expect(existsSync(join(area, "workflow_state.json"))).toBe(true);
});

/** Plays a scenario and gives everything that came of it, without what differs from one run to the next. */
async function playOn(opening: Opening, folder: string, era: Era, play: (stage: Stage) => Promise<void>) {
  const answers: Answer[] = [];
  await play({
    folder,
    open: async (person) => {
      const window = await opening(folder, { era, ...(person === undefined ? {} : { person }) });
      const call: typeof window.call = async (...call) => {
        const answer = await window.call(...call);
        answers.push(answer);
        return answer;
      };
      return { ...window, call };
    },
  });
  const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), "utf8"));
  const all = JSON.stringify({ answers, state: read("workflow_state.json"), log: read("activity_log.json") });
  const settled = all
    .replaceAll(folder, "<folder>")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replaceAll(/\ba\d{6}\b/g, "<attempt>")
    .replaceAll(/"duration":[\d.]+/g, '"duration":0')
    .replaceAll(/(?:\.waymark|definitions)\/(?=bots\/|base_actions\/)/g, "<definitions>/");
  return JSON.parse(settled);
}
