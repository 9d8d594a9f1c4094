import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hostDisplays } from "../../../src/hosts/host-display.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";
import { qwen } from "./qwen.ts";
import { type Walked, type WalkedHost, walk } from "./walk.ts";

/** All six under `npm run hosts`, the two that the tests install anyway under `npm test`. */
const isWhole = process.env.WAYMARK_HOSTS === "all";
const hosts = isWhole ? [claude, codex, gemini, qwen, copilot, opencode] : [claude, codex];

/** What a host must show: a rule of the walk, and where it holds otherwise, how. */
type Item = {
  readonly title: string;
  readonly otherwise?: (host: WalkedHost) => string | undefined;
  holds(walked: Walked, host: WalkedHost): void;
};

const items: readonly Item[] = [
  {
    title: "starts, and reads what the first action asks",
    holds: ({ saw }) => expect(saw.opened).toContain("Ask the user who will read the stories"),
  },
  {
    title: "finds the bot by what the user says, where tools are kept back",
    holds: ({ saw }) => expect(saw.found).toContain("story_bot"),
  },
  {
    title: "is shown the server's instructions and AGENTS.md as src/hosts/host-display.ts says",
    holds({ sees }, { client }) {
      const { instructions, agentsFile } = new Map(Object.entries(hostDisplays)).get(client) ?? {};
      expect(sees).toEqual({ instructions, agentsFile });
    },
  },
  { title: "is shown a reply once", holds: ({ timesShown }) => expect(timesShown).toBe(1) },
  {
    title: "is denied an edit outside what the step may change",
    holds({ saw, has }) {
      expect(saw.outside).toContain("lib/a.js is outside what story_bot.shape.gather_context may change");
      expect(has("lib/a.js")).toBe(false);
    },
  },
  {
    title: "is denied a shell command that says what it writes there, or to Waymark's own files",
    holds({ saw }) {
      expect(saw.shell).toContain("made.txt is outside");
      expect(saw.own).toContain("belongs to Waymark");
    },
  },
  {
    title: "is told at the completion of what a command wrote without saying so",
    holds({ saw, has }) {
      expect(has("made.txt")).toBe(true);
      expect(saw.completed).toContain("outside what it may change (src/**): made.txt");
    },
  },
  {
    title: "is killed at work, and has the card in its first request when it is resumed",
    holds({ cards, runs }) {
      expect(runs[0]?.exitCode).toBe(null);
      expect(cards.resumed).toBe(true);
    },
  },
  {
    title: "has the card in its next request after its context was compacted",
    otherwise: ({ cardAfterCompaction }) => cardAfterCompaction,
    holds({ cards, cardAfter, summaries }) {
      expect(summaries).toBeGreaterThan(0);
      expect([cards.compacted, cardAfter]).toEqual([true, 0]);
    },
  },
  { title: "completes the step", holds: (walked) => expect(walked.isCompleted).toBe(true) },
  {
    title: "is kept from ending its turn with a step open, once",
    otherwise: ({ sit }) => (sit === undefined ? undefined : "yes, in its window"),
    holds({ saw, reminders, runs }) {
      expect(saw.next).toContain("render_output");
      expect(reminders).toBe(1);
      expect(runs[1]?.exitCode, runs[1]?.stderr).toBe(0);
    },
  },
];

const table = new Map<string, Map<string, string>>(items.map(({ title }) => [title, new Map()]));

describe.each(hosts)("an assistant in $title", (host) => {
  let walked: Walked;
  beforeAll(async () => {
    walked = await walk(host);
  });

  it.each(items)("$title", ({ title, otherwise, holds }) => {
    table.get(title)?.set(host.title, "no");
    holds(walked, host);
    table.get(title)?.set(host.title, otherwise?.(host) ?? "yes");
  });
});

if (isWhole)
  afterAll(() => {
    const names = hosts.map(({ title }) => title);
    const rows = [...table].map(([title, cells]) => [title, ...names.map((name) => cells.get(name) ?? "not run")]);
    const lines = [["", ...names], ["", ...names].map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
    process.stdout.write(`\n${lines.join("\n")}\n`);
  });
