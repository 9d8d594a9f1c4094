import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runCli } from "../../command-line.ts";
import type { Seen, Turn } from "../model-api.ts";
import { type Host, type HostResult, type HostRun, runHost, sitAtHost } from "../run-host.ts";
import type { Terminal } from "../terminal.ts";
import { isCompleted, last } from "./answers.ts";
import { FIRST_INSTRUCTION, HOUSE_RULE, makeWalkedProject } from "./project.ts";

/** A host that is walked: how it is started in a project that `init` set up, and what its own tools are called. */
export type WalkedHost = Host & {
  readonly title: string;
  /** What `init` calls it. */
  readonly client: string;
  write(file: string, text: string): Turn;
  shell(command: string): Turn;
  /** Waits until what was said so far is kept: what is killed before has nothing to resume. */
  saved?(home: string): Promise<void>;
  /** Where a headless process ends with its turn, whatever is said to it: what a person does in the host's own window instead. */
  sit?(terminal: Terminal, prompt: string): Promise<void>;
  /** Where nothing can be said right after a compaction: how the card is there all the same. */
  readonly cardAfterCompaction?: string;
};

/** What was seen on the walk. */
export type Walked = {
  readonly saw: Record<
    "found" | "opened" | "outside" | "shell" | "own" | "made" | "completed" | "next" | "ended",
    string
  >;
  readonly isCompleted: boolean;
  /** What of the server and of the project stands in the model's first request. */
  readonly sees: { readonly instructions: boolean; readonly agentsFile: boolean };
  /** How often the model was shown the instructions of the first action, right after it was opened. */
  readonly timesShown: number;
  readonly summaries: number;
  /** Whether the first request after the compaction, and after the resumption, holds the card. */
  readonly cards: { readonly compacted: boolean; readonly resumed: boolean };
  /** How many requests without the card came between the compaction and the first with it. */
  readonly cardAfter: number;
  readonly reminders: number;
  readonly runs: readonly HostResult[];
  /** Whether a file stands in the project. */
  has(file: string): boolean;
};

const WAYMARK = process.env.WAYMARK_HOST_TEST_SERVER ?? resolve("dist/waymark.js");
const CARD = "Waymark: you have work in progress here.";

/** Walks a host through the story: two processes of it, of which the first is killed at work. */
export async function walk(host: WalkedHost): Promise<Walked> {
  const root = await makeWalkedProject();
  const home = await mkdtemp(join(tmpdir(), "waymark-walk-home-"));
  const saw = {
    found: "story_bot",
    opened: "",
    outside: "",
    shell: "",
    own: "",
    made: "",
    completed: "",
    next: "",
    ended: "",
  };
  const cards = { compacted: false, resumed: false };
  const sees = { instructions: false, agentsFile: false };
  let timesShown = 0;
  let reminders = 0;
  let cardAfter = 0;
  try {
    const command = `${process.execPath} ${WAYMARK}`;
    const set = await runCli(["init", "--root", root, "--client", host.client, "--command", command], root);
    if (set.code !== 0) throw new Error(set.stderr);
    const mcpCommand = [process.execPath, WAYMARK, "serve"] as const;
    const killing = new AbortController();
    const first = await runHost(host, {
      ...{ root, home, mcpCommand, killed: killing.signal },
      prompt: "Let us write user stories.",
      script: async function* (seen: Seen) {
        sees.instructions = holds(seen, "Waymark guides you through this project's process step by step");
        sees.agentsFile = holds(seen, HOUSE_RULE);
        if (!seen.tools.join().includes("story_bot")) saw.found = last(yield { search: "user stories" });
        const opened = yield { call: "story_bot", with: {} };
        saw.opened = last(opened);
        timesShown = count(opened, FIRST_INSTRUCTION);
        saw.outside = last(yield host.write(join(root, "lib/a.js"), "x"));
        saw.shell = last(yield host.shell("echo x > made.txt"));
        saw.own = last(yield host.shell("echo '{}' > workflow_state.json"));
        saw.made = last(yield host.shell("node make.js"));
        await host.saved?.(home);
        killing.abort();
        return "Nobody hears this.";
      },
    });
    const second = await goOn(host, {
      ...{ root, home, mcpCommand, resume: true },
      prompt: "Go on.",
      script: async function* (seen: Seen) {
        cards.resumed = holds(seen, CARD);
        const rememberedAtResumption = holds(seen, FIRST_INSTRUCTION);
        let after: Seen = yield { ...host.shell("echo on"), full: true };
        for (let turn = 0; turn < 4 && !(isShortened(after) && holds(after, CARD)); turn++) {
          if (isShortened(after)) cardAfter += 1;
          after = yield host.shell("echo and on");
        }
        cards.compacted = rememberedAtResumption && isShortened(after) && holds(after, CARD);
        if (!seen.tools.join().includes("complete_action")) yield { search: "complete action" };
        const word = { confirmation: "The user said: yes, done", outputs: { answers: "Two product managers." } };
        saw.completed = last(yield { call: "complete_action", with: word });
        // Without a terminal some hosts answer the server's question to the person themselves: with a cancel or a decline.
        if (!isCompleted(saw.completed)) saw.completed = last(yield { call: "complete_action", with: word });
        saw.next = last(yield { call: "story_bot", with: {} });
        let reminded = yield { say: "That is all for now." };
        while (reminders < 3 && count(reminded, "render_output is still open") > reminders) {
          reminders += 1;
          reminded = yield { say: "I wait for the person." };
        }
        return "Nothing more.";
      },
    });
    saw.ended = second.stdout;
    const found = new Set(
      ["lib/a.js", "made.txt", "workflow_state.json"].filter((file) => existsSync(join(root, file))),
    );
    return {
      ...{ saw, timesShown, sees, cards, cardAfter, reminders, runs: [first, second], has: (file) => found.has(file) },
      summaries: second.summaries,
      isCompleted: isCompleted(saw.completed),
    };
  } finally {
    for (const folder of [root, home]) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The second process: headless, or in the host's window. */
async function goOn(host: WalkedHost, run: HostRun): Promise<HostResult> {
  const { sit } = host;
  if (sit === undefined) return runHost(host, run);
  let stdout = "";
  const seen = await sitAtHost(host, run, async (terminal) => {
    await sit(terminal, run.prompt);
    stdout = terminal.screen();
  });
  return { ...seen, exitCode: 0, stdout, stderr: "" };
}

function holds(seen: Seen, text: string): boolean {
  return count(seen, text) > 0;
}

/** The conversation was summed up, and what was said before is gone. */
function isShortened(seen: Seen): boolean {
  return (seen.summaries ?? 0) > 0 && !holds(seen, FIRST_INSTRUCTION);
}

function count(seen: Seen | undefined, text: string): number {
  return JSON.stringify(seen?.body ?? "").split(text).length - 1;
}
