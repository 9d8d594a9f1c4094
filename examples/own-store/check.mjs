// Runs the package's contract suites on the store, then walks a bot over it: `node examples/own-store/check.mjs`.
import { deepStrictEqual, rejects, strictEqual } from "node:assert";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openWorkplace } from "waymark";
import { eventLogContract, viewsContract } from "waymark/testing";
import { oneFileStore } from "./one-file-store.mjs";

const freshFolder = () => mkdtempSync(join(tmpdir(), "waymark-own-store-"));

/** A place for one rule: every window on it is a store of its own. No hook breaks its writing, so it never has to hold anything. */
async function freshPlace() {
  const folder = freshFolder();
  const opened = [];
  const window = () => {
    opened.push(oneFileStore(folder));
    return opened.at(-1);
  };
  const crash = () => {
    for (const store of opened.splice(0)) store.close();
  };
  const dispose = () => {
    crash();
    rmSync(folder, { recursive: true });
  };
  return { window, log: () => window().log, crash, dispose };
}

let kept = 0;
for (const { title, run } of [...eventLogContract(), ...viewsContract()]) {
  await run(freshPlace).catch((error) => {
    throw new Error(`Not kept: ${title}`, { cause: error });
  });
  kept += 1;
}
console.log(`${kept} rules of the contract are kept.`);

const root = freshFolder();
const definition = {
  "base_actions/ask/action_config.json": { name: "ask", workflow: true, order: 1, next_action: "brew" },
  "base_actions/brew/action_config.json": { name: "brew", workflow: true, order: 2, next_action: null },
  "bots/tea_bot/bot_config.json": { name: "tea_bot", description: "Makes tea.", behaviors: ["serve"] },
  "bots/tea_bot/behaviors/serve/behavior.json": { goal: "A cup of tea" },
};
for (const [path, value] of Object.entries(definition)) {
  const file = join(root, ".waymark", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}

/** Works in a window of its own: the next one knows only what the store has kept. */
async function inWindow(work) {
  const workplace = openWorkplace({ root, store: oneFileStore });
  try {
    return await work(await workplace.engine("tea_bot"), workplace);
  } finally {
    workplace.close();
  }
}

await inWindow(async (engine) => {
  strictEqual((await engine.open({ id: "first" }, {})).outcome.kind, "opened");
  const { outcome } = await engine.complete(
    { id: "first" },
    { outputs: { tea: "green" }, confirmation: "green, please" },
  );
  deepStrictEqual([outcome.kind, outcome.next.step], ["completed", "brew"]);
});
await inWindow(async (engine) => {
  const ahead = await engine.complete({ id: "second" }, { step: "brew", confirmation: "done" });
  deepStrictEqual([ahead.outcome.kind, ahead.outcome.refusal.kind], ["refused", "not_opened"]);
  strictEqual((await engine.open({ id: "second" }, {})).outcome.ref.step, "brew");
  const content = [{ path: "docs/cup.md", text: "Green, three minutes.\n" }];
  strictEqual((await engine.complete({ id: "second" }, { content, confirmation: "thanks" })).outcome.kind, "finished");
});
await inWindow(async (engine, workplace) => {
  deepStrictEqual(
    (await engine.status()).workflows.map(({ finished }) => finished),
    [true],
  );
  const [{ log }] = await workplace.logs();
  const { records, breaks, doubts, place } = await log.audit(engine.id);
  deepStrictEqual([breaks, doubts], [[], []]);
  console.log(
    `A bot was walked to its end in two windows: ${records} records in ${place.slice(root.length + 1)}, whole.`,
  );
  console.log(`In the project area: ${readdirSync(root).sort().join(", ")}.`);
});

const file = join(root, "histories.jsonl");
writeFileSync(file, readFileSync(file, "utf8").replace("green, please", "black, please"));
await inWindow(async (engine, workplace) => {
  const [{ log }] = await workplace.logs();
  const [{ reason }] = (await log.audit(engine.id)).breaks;
  console.log(`After a change in it: ${reason}.`);
  await rejects(engine.open({ id: "third" }, {}), /missing or were changed/);
});
rmSync(root, { recursive: true });
