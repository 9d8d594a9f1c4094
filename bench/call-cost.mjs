import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median, report, reportCalls, startServer, timed } from "./wire.mjs";

const file = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Opening and completing an action at the size of real work (up to 300 completed actions), against a tool call that does nothing, turn by turn in one run. `beside` is a number of workflows that the bot does not use, each of nine files.
 */
async function measure(title, more, beside = 0) {
  const root = mkdtempSync(join(tmpdir(), "waymark-bench-"));
  const bot = join(root, ".waymark/bots/story_bot");
  cpSync(file("../examples/demo/project"), root, { recursive: true });
  // an action that asks questions needs outputs, which are saved as a file: here nothing is submitted
  for (const path of readdirSync(bot, { recursive: true }).map(String))
    if (/question|criteria/.test(path)) rmSync(join(bot, path), { recursive: true, force: true });
  for (const name of more) cpSync(join(bot, "behaviors/discovery"), join(bot, "behaviors", name), { recursive: true });
  const config = JSON.parse(readFileSync(join(bot, "bot_config.json"), "utf8"));
  writeFileSync(join(bot, "bot_config.json"), JSON.stringify({ ...config, behaviors: [...config.behaviors, ...more] }));
  for (let at = 0; at < beside; at++)
    for (let phase = 1; phase <= 9; phase++) {
      const folder = join(root, `.waymark/workflows/w${at}/phases/${phase}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "phase.md"), `# Phase ${phase}: Look\n\n## Gate\n\n- [ ] \`done\`\n`);
    }
  const bare = startServer([file("bare-server.mjs")]);
  const ours = startServer([file("../dist/waymark.js"), "serve", "--root", root]);
  await bare.initialize();
  await ours.initialize();

  const times = { noop: [], open: [], complete: [] };
  for (let round = 0; round < 300; round++) {
    const noop = await timed(() => bare.call("noop"));
    let opened;
    const open = await timed(async () => {
      opened = await ours.call("shape_bot", round % 5 === 0 && round > 0 ? { resume: "restart" } : {});
    });
    let completed;
    const complete = await timed(async () => {
      completed = await ours.call("complete_action", { confirmation: "yes" });
    });
    const answers = [opened.structuredContent, completed.structuredContent];
    const isRight = answers[0].status === "started" && /complete/.test(answers[1].status);
    if (!isRight) throw new Error(`${title}, round ${round}: ${answers.map(({ status }) => status)}`);
    if (round < 100) continue; // the first calls warm both processes up
    times.noop.push(noop);
    times.open.push(open);
    times.complete.push(complete);
  }
  await Promise.all([bare.stop(), ours.stop()]);
  rmSync(root, { recursive: true });

  for (const kind of ["open", "complete"]) reportCalls(`${kind} an action of ${title}`, times[kind], times.noop, 3);
  return median(times.complete) / median(times.noop);
}

const alone = await measure("a bot with two behaviors", []);
await measure("a bot with six behaviors", ["exploration", "prioritization", "scenarios", "tests"]);
const crowded = await measure("a bot beside 2,000 definition files", [], 223);
report("a call beside 2,000 definition files", crowded / alone, 1.2, "against one beside none");
