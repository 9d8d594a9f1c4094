import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { indent, isTerminal, paint, say, scene } from "../stage.mjs";

const waymark = fileURLToPath(new URL("../../dist/waymark.js", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "waymark-demo-"));
for (const part of ["project", "tested"])
  cpSync(fileURLToPath(new URL(part, import.meta.url)), root, { recursive: true });
// This machine's memory of the demo is removed with it: nothing is left in your home folder.
const env = { ...process.env, XDG_STATE_HOME: mkdtempSync(join(tmpdir(), "waymark-demo-state-")) };

const first = (text, lines) => text.split("\n").filter(Boolean).slice(0, lines).join("\n");

/** A window of an assistant: a real MCP client that starts a real server, with a person in front of it. */
async function openWindow() {
  const client = new Client({ name: "scripted-assistant", version: "1.0.0" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler("elicitation/create", ({ params }) => {
    say(paint(35, indent(`the person is asked: ${first(params.message, 1)}`)));
    say(paint(35, indent("the person says yes")));
    return { action: "accept", content: { answer: "yes" } };
  });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [waymark, "serve", "--root", root],
    env,
  });
  await client.connect(transport);
  return { client, pid: transport.pid };
}

/** Calls a tool and shows the call and the part of the answer that matters. */
async function call(client, name, args, lines = 2) {
  say(`   ${paint(36, `→ ${name}`)} ${JSON.stringify(args).slice(0, 110)}`);
  const { structuredContent: answer } = await client.callTool({ name, arguments: args });
  const place = [answer.behavior, answer.action].filter(Boolean).join(".");
  say(`   ${paint(answer.status === "refused" ? 31 : 32, `← ${answer.status}`)} ${place}`);
  if (answer.error) say(indent(`${answer.error}: ${answer.message}\n${answer.required_action}`));
  else if (lines > 0) say(indent(first(answer.instructions, lines)));
  for (const gap of answer.missing_evidence ?? []) say(paint(33, indent(gap)));
  for (const warning of answer.warnings) say(paint(33, indent(`warning: ${warning}`)));
  return answer;
}

/** A command of Waymark's at the terminal. */
function run(...args) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [waymark, ...args, "--root", root], {
    encoding: "utf8",
    env: { ...env, ...(isTerminal ? { FORCE_COLOR: "1" } : {}) },
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

function show(file, pick) {
  say(`   ${paint(2, file)}`);
  say(paint(2, indent(pick(JSON.parse(readFileSync(join(root, file), "utf8"))))));
}
const position = ({ current_action, action_state, completed_actions }) =>
  JSON.stringify({ current_action, action_state, completed_actions: `${completed_actions.length} so far` });

const map = (story) =>
  `# Tea shop: story map\n\n## Users\n\nGuests who want a table.\n\n## Epics\n\n### Reserve\n\n- ${story}\n- Cancel a reservation\n`;

say(paint(1, "Waymark: a scripted assistant works through a bot over MCP."));
say(
  "A team wrote its process as files (examples/demo/project/.waymark; --keep keeps the copy used here). The template story-bot asks for more.",
);

let { client, pid } = await openWindow();

scene(1, "The assistant asks where to begin. The first action opens, with its instructions.");
await call(client, "story_bot", {}, 4);
show("workflow_state.json", position);

scene(2, "It tries to skip to the end of the work. Waymark refuses.");
await call(client, "shape_bot", { action: "render_output" });

scene(3, "It does the work and submits it. A person must approve before it counts.");
await call(client, "complete_action", {
  outputs: { who: "Guests of a tea shop", problem: "They call, and nobody answers" },
});

scene(4, "The next action is open, and then the window dies: kill -9 in the middle.");
await call(client, "shape_bot", {});
process.kill(pid, "SIGKILL");
await client.close();
say(paint(31, "   ✗ the server is gone"));
show("workflow_state.json", position);

scene(5, "Days later, a new window. No one has to remember anything.");
({ client, pid } = await openWindow());
await call(client, "story_bot", {});
await call(client, "story_bot", { resume: "continue" });
await call(client, "complete_action", { outputs: { depth: "Epics and stories" } });

scene(6, "Knowledge continues by itself, as its author allowed; then the document is rendered.");
await call(client, "shape_bot", {});
const knowledge = {
  product: "Tea shop",
  epics: [{ name: "Reserve", stories: ["Reserve a table", "Cancel a reservation"] }],
};
await call(client, "complete_action", {
  content: [{ path: "docs/knowledge.json", text: JSON.stringify(knowledge, null, 2) }],
});
await call(client, "shape_bot", {});
await call(client, "complete_action", { content: [{ path: "docs/story-map.md", text: map("The table reservation") }] });

scene(7, "Waymark runs the rules itself and names rule, file and line. The assistant fixes it.");
const { instructions } = await call(client, "shape_bot", {}, 0);
say(
  indent(
    instructions
      .split("\n")
      .filter((line) => line.includes("story-map.md:"))
      .join("\n"),
  ),
);
await call(client, "complete_action", { content: [{ path: "docs/story-map.md", text: map("Reserve a table") }] }, 3);

scene(8, "The assistant says that all 12 tests pass. Waymark runs them itself, and finds 11.");
run("trust", "--yes");
say(paint(35, indent("the person has read the command (node --test) and trusts it: waymark trust")));
await call(client, "tests_bot", {}, 0);
await call(client, "complete_action", { evidence: { tests_passed: 12 } });

scene(9, "It fixes the code and tries again. Now it is proved: the step is done, and no one has to be asked.");
const source = join(root, "src/reserve.mjs");
writeFileSync(source, readFileSync(source, "utf8").replace("hour < 20", "hour < 19"));
const { checks } = await call(client, "complete_action", { evidence: { tests_passed: 12 } }, 0);
say(indent(checks.map(({ name, summary }) => `${name}: ${summary}`).join("\n")));

scene(10, "What is on record.");
show("activity_log.json", (entries) =>
  entries
    .map(({ timestamp, action, action_state }) => `${timestamp.slice(11, 19)}  ${action_state.padEnd(9)}  ${action}`)
    .join("\n"),
);
await client.close();
process.stdout.write(run("status"));

if (process.argv.includes("--keep")) say(`\nThe project is kept in ${root}`);
else rmSync(root, { recursive: true });
rmSync(env.XDG_STATE_HOME, { recursive: true });
say(
  `\nThat was real: a real MCP client, a real server, a real kill, real tests. README.md shows how to use it with your own assistant.`,
);
