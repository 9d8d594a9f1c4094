import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { ItemResult } from "../items/item-calls.ts";
import { isWalked, type Move, playerOf, processes, processProject } from "../items/processes.ts";
import { wholeOr } from "../whole.ts";
import { runClaude } from "./claude.ts";
import type { Script, Seen, Turn } from "./model-api.ts";

const SERVER = process.env.WAYMARK_HOST_TEST_SERVER ?? resolve("dist/waymark.js");
const tools = ["start_workflow", "get_phase_content", "complete_phase", "get_workflow_state"];

/** What the model read last: a result, or the text of a refusal, either with what the host adds below it. */
function result({ answers }: Seen): ItemResult {
  const [read = ""] = (answers.at(-1) ?? "").split("\n\n<system-reminder>");
  return JSON.parse(read.startsWith("{") ? read : JSON.stringify({ error: /^(\w+):/.exec(read)?.[1] ?? read }));
}

/** Two under `npm run test:all`. */
const handedOut = processes.filter(({ title }) => wholeOr(/of spec-kit|a panel/, /a panel/).test(title));

test.each(handedOut)("sub-agents in Claude Code walk items at once on one connection: $title", async (process) => {
  const { root } = processProject(process);
  const player = playerOf(process);
  const open: string[] = [];
  let mostOpen = 0;
  /** Waits until all who were sent out together have their item, or are refused it. */
  const everyone = new Map<string, { left: number; readonly go: () => void; readonly all: Promise<void> }>();

  /** Plays moves as calls of the model. */
  async function* turns(moves: AsyncGenerator<Move, ItemResult, ItemResult>): AsyncGenerator<Turn, ItemResult, Seen> {
    for (let step = await moves.next(); ; ) {
      if (step.done === true) return step.value;
      const { value } = step;
      if ("handOut" in value) {
        const key = `${value.session} ${everyone.size}`;
        let go = (): void => undefined;
        const all = new Promise<void>((done) => (go = done));
        everyone.set(key, { left: value.handOut.length, go, all });
        yield {
          say: "To each its item.",
          agents: value.handOut.map((item) => JSON.stringify([key, value.session, item])),
        };
        step = await moves.next({} as ItemResult);
        continue;
      }
      step = await moves.next(result(yield { call: value.tool, with: value.args }));
    }
  }
  const findTools = async function* (): AsyncGenerator<Turn, void, Seen> {
    yield { search: `select:${tools.map((tool) => `mcp__waymark__${tool}`).join(",")}` };
  };
  const agent: Script = async function* ({ task = "" }: Seen) {
    const [key, session, item] = JSON.parse(task) as [string, string, string];
    const together = everyone.get(key);
    yield* findTools();
    yield* turns(
      player.walkItem(session, item, async (isOpen) => {
        open.push(...(isOpen ? [item] : []));
        mostOpen = Math.max(mostOpen, open.length);
        if (together !== undefined && --together.left === 0) together.go();
        await together?.all;
      }),
    );
    if (open.includes(item)) open.splice(open.indexOf(item), 1);
    return `Item ${item} is done.`;
  };
  const { exitCode, stdout, stderr } = await runClaude({
    root,
    mcpCommand: [
      ...(["/usr/bin/env", `XDG_STATE_HOME=${globalThis.process.env.XDG_STATE_HOME}`] as const),
      ...[globalThis.process.execPath, SERVER, "serve", "--root", root],
    ],
    prompt: "Do what the workflow says; hand its items to sub-agents.",
    agent,
    script: async function* () {
      yield* findTools();
      const { session_id } = result(yield { call: "start_workflow", with: { workflow_type: "w" } });
      const ended = yield* turns(player.walk(session_id));
      return ended.workflow_complete === true ? "That was all." : "It did not end.";
    },
  });
  expect([exitCode, stdout.trim()], stderr).toEqual([0, "That was all."]);
  expect(mostOpen).toBeGreaterThan(1);
  await isWalked(process, player, root);
});
