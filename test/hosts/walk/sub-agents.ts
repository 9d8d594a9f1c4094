import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runCli } from "../../command-line.ts";
import { type Script, type Seen, type Turn, taskMark } from "../model-api.ts";
import { type HostResult, runHost } from "../run-host.ts";
import { last } from "./answers.ts";
import { makeWalkedProject } from "./project.ts";
import type { WalkedHost } from "./walk.ts";

/** What holds inside a sub-agent. */
export type SubAgentSaw = {
  /** The server refuses a step that is not open. */
  readonly order: boolean;
  /** An edit outside `edits` is denied, before the sub-agent has called Waymark itself and after. */
  readonly editsBefore: boolean;
  readonly editsAfter: boolean;
  /** The sub-agent is given the card. */
  readonly card: boolean;
  /** The sub-agent is reminded of the open step when it ends. */
  readonly reminder: boolean;
  /** It could call Waymark's tools. */
  readonly tools: boolean;
  readonly run: HostResult;
};

const denial = "is outside what story_bot.shape.gather_context may change";
const WAYMARK = process.env.WAYMARK_HOST_TEST_SERVER ?? resolve("dist/waymark.js");

/** Starts a sub-agent in a host whose main agent has a step open, and looks at what holds inside it. */
export async function walkSubAgent(host: WalkedHost, starting: readonly Turn[]): Promise<SubAgentSaw> {
  const root = await makeWalkedProject();
  const home = await mkdtemp(join(tmpdir(), "waymark-sub-agent-"));
  const saw = { order: false, editsBefore: false, editsAfter: false, card: false, reminder: false, tools: false };
  const agent: Script = async function* (first: Seen) {
    saw.card = JSON.stringify(first.body).includes("Waymark: you have work in progress here.");
    saw.editsBefore = last(yield host.write(join(root, "lib/a.js"), "x")).includes(denial);
    const refused = last(yield { call: "shape_bot", with: { action: "render_output" } });
    saw.tools = !/unsupported|not found|No such tool|Unknown tool/i.test(refused);
    saw.order = refused.includes("action_sequence_violation") && !refused.includes("Write the stories.");
    saw.editsAfter = last(yield host.write(join(root, "lib/b.js"), "x")).includes(denial);
    const after = yield { say: "The sub-agent is done." };
    saw.reminder =
      JSON.stringify(after.body).includes("render_output") && JSON.stringify(after.body).includes("is still open");
    return "Done.";
  };
  try {
    const command = `${process.execPath} ${WAYMARK}`;
    const set = await runCli(["init", "--root", root, "--client", host.client, "--command", command], root);
    if (set.code !== 0) throw new Error(set.stderr);
    const run = await runHost(host, {
      ...{
        root,
        home,
        mcpCommand: [process.execPath, WAYMARK, "serve"],
        prompt: "Let us write user stories. Use a workflow for it.",
        agent,
      },
      script: async function* (seen: Seen) {
        if (!seen.tools.join().includes("story_bot")) yield { search: "user stories" };
        yield { call: "story_bot", with: {} };
        for (const turn of starting) yield turn;
        return "That is all for now.";
      },
    });
    return { ...saw, run };
  } finally {
    for (const folder of [root, home]) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const prompt = `${taskMark}look around`;
const about = { description: "look around", prompt };

const pause = (host: WalkedHost): Turn => host.shell("node -e 'setTimeout(() => undefined, 8000)'");
const script = `export const meta = { name: "look", description: "look around" };\nreturn await agent(${JSON.stringify(prompt)});`;

/** How each host's model starts a sub-agent, or work in the background. */
export function startsOf(host: WalkedHost): Readonly<Record<string, readonly Turn[]>> {
  const general = { ...about, subagent_type: "general-purpose" };
  switch (host.client) {
    case "claude":
      return {
        "a sub-agent": [{ own: "Agent", with: { ...general, run_in_background: false } }],
        "a background agent": [{ own: "Agent", with: { ...general, run_in_background: true } }, pause(host)],
        "a background workflow": [{ own: "Workflow", with: { script } }, pause(host)],
      };
    case "codex":
      return { "a sub-agent": [{ own: "multi_agent_v1.spawn_agent", with: { message: prompt } }, pause(host)] };
    case "gemini":
      return { "a sub-agent": [{ own: "invoke_agent", with: { agent_name: "generalist", prompt } }] };
    case "qwen":
      return { "a sub-agent": [{ own: "agent", with: general }, pause(host)] };
    case "copilot":
      return { "a sub-agent": [{ own: "task", with: { ...about, agent_type: "general-purpose", name: "look" } }] };
    default:
      return { "a sub-agent": [{ own: "task", with: { ...about, subagent_type: "general" } }] };
  }
}
