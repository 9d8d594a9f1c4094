import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { expect, onTestFinished, test } from "vitest";
import { addWorkflow, callPhase, evidenceFor } from "../phased.ts";
import { makeProject } from "../project.ts";
import { openWindow } from "../window.ts";

const rule = ".waymark/bots/story_bot/behaviors/shape/rules/plain_words.json";

const inFileStore = /\/src\/stores\/file\//;
const loadsModules = /node:internal\/modules\//;

/** Notes the way that led to every synchronous call of the file system, from now on until the test is over. */
function noteBlocking(): { readonly ways: string[] } {
  const ways: string[] = [];
  const disk: Record<string, unknown> = fs as never;
  const names = Object.keys(fs).filter((name) => name.endsWith("Sync"));
  const own = new Map(names.map((name) => [name, disk[name]]));
  const noting = (name: string, call: object): object => {
    const noted = (...args: unknown[]): unknown => {
      const holder = { stack: "" };
      Error.captureStackTrace(holder, noted);
      ways.push(`${name}\n${holder.stack}`);
      return Reflect.apply(call as () => unknown, fs, args);
    };
    const more = Object.entries(call).map(([part, other]) => [part, noting(`${name}.${part}`, other)]);
    return Object.assign(noted, Object.fromEntries(more)); // realpathSync.native
  };
  for (const [name, call] of own) if (typeof call === "function") disk[name] = noting(name, call);
  syncBuiltinESMExports();
  onTestFinished(() => {
    for (const [name, call] of own) disk[name] = call;
    syncBuiltinESMExports();
  });
  return { ways };
}

test("on the way of a call nothing waits for a file, but in the file store", async () => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 60;
  onTestFinished(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });
  const project = makeProject();
  project.write(rule, {
    name: "plain_words",
    description: "Say it plainly",
    checks: [{ type: "forbidden_words", words: ["leverage"], message: "say it plainly" }],
  });
  // Two bots on one project area: who is at work there is asked at every call.
  project.write(".waymark/bots/zoo_bot/bot_config.json", { name: "zoo_bot", behaviors: ["feed"] });
  project.write(".waymark/standards/http.md", "# Calling services\n\nRetry three times.\n");
  addWorkflow(project);
  const window = await openWindow(project.root);
  const { ways } = noteBlocking();

  await window.client.listTools();
  for (let index = 0; index < 3; index++) await window.pass("shape_bot");
  await window.pass("shape_bot", { content: [{ path: "map.md", text: "We leverage tea.\n" }] });
  expect((await window.call("shape_bot")).instructions).toContain("map.md:1");
  expect((await window.call("complete_action", { confirmation: "ship it" })).status).toBe("workflow_complete");

  const inputs = { rule: "plain_words", dont: "utilise", do: "use", pattern: "utilise" };
  expect((await window.call("story_bot", { action: "correct_bot", inputs, confirmation: "yes" })).status).toBe(
    "completed",
  );

  const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "survey", target_file: "a.ts" });
  const evidence = evidenceFor(1);
  expect((await callPhase(window, "complete_phase", { session_id, phase: 1, evidence })).checkpoint_passed).toBe(true);

  const search = { name: "search_standards", arguments: { query: "retry", session_id } };
  expect((await window.client.callTool(search)).structuredContent).toMatchObject({ results: [{ file: "http.md" }] });

  expect(ways.some((way) => inFileStore.test(way))).toBe(true);
  expect(ways.filter((way) => !inFileStore.test(way) && !loadsModules.test(way))).toEqual([]);
});
