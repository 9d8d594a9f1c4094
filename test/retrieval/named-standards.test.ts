import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { makeProject, type Project } from "../project.ts";
import { openWindow } from "../window.ts";

const page = `# Ship the harbour map

## Phase 1: Measure the depths
Measure the depth of every berth with the sounder.

- [ ] \`depths\` measured

## Phase 2: Announce the closing of the quay
Tell every skipper which quay closes and when.

- [ ] \`skippers\` told
`;

const standards = {
  "sounding.md": "# Measuring depths\n\nThe sounder measures the depth of a berth twice, at low water.\n",
  "announcing.md":
    "---\nworkflow: harbour\nphase: 2\n---\n# Announcing a closed quay\n\nSkippers hear of a closing quay two days ahead.\n",
  "cakes.md": "# Cakes\n\nA sponge rests for an hour.\n",
};

function harbour(settings: object): Project {
  const project = makeProject();
  project.write(".waymark/workflows/harbour.md", page);
  for (const [file, text] of Object.entries(standards)) project.write(`.waymark/standards/${file}`, text);
  project.write(".waymark/config.json", settings);
  return project;
}

async function walk(settings: object) {
  const { client } = await openWindow(harbour(settings).root);
  const call = async (name: string, args: object) =>
    (await client.callTool({ name, arguments: { ...args } })).structuredContent as Record<string, unknown>;
  await call("search_standards", { query: "depths" }); // the index is there
  const started = await call("start_workflow", { workflow_type: "harbour" });
  const session_id = started.session_id;
  const refused = await call("complete_phase", { session_id, phase: 1, evidence: {} });
  const second = await call("complete_phase", { session_id, phase: 1, evidence: { depths: true } });
  const read = await call("get_phase_content", { session_id });
  return { started, refused, second, read, call };
}

test("an opened step names the standards that fit it, gated as search is, in at most 40 tokens", async () => {
  const { started, refused, second, read } = await walk({ standards: "auto" });
  expect(started.standards).toEqual(["Measuring depths (sounding.md)"]);
  expect(refused).not.toHaveProperty("standards");
  expect(second.standards).toEqual(["Announcing a closed quay (announcing.md)"]);
  expect(read.standards).toEqual(second.standards);
  for (const { standards: named } of [started, second])
    expect(countTokens(JSON.stringify({ standards: named }))).toBeLessThanOrEqual(40);
});

test("a bot's action names them as well, and none where nothing fits", async () => {
  const project = makeProject();
  project.write(".waymark/config.json", { standards: "auto" });
  project.write(".waymark/standards/context.md", "# Gathering context\n\nHow to gather the context of a shape.\n");
  const { client } = await openWindow(project.root);
  const call = async (name: string, args = {}) =>
    (await client.callTool({ name, arguments: args })).structuredContent as Record<string, unknown>;
  await call("search_standards", { query: "context" });
  expect((await call("shape_bot")).standards).toEqual(["Gathering context (context.md)"]);
  project.write(".waymark/standards/context.md", "# Cakes\n\nA sponge rests for an hour.\n");
  await call("search_standards", { query: "cakes" });
  expect(await call("shape_bot")).not.toHaveProperty("standards");
});

test("by default no step names any", async () => {
  const { started, second } = await walk({});
  for (const reply of [started, second]) expect(reply).not.toHaveProperty("standards");
});

test("long titles do not exceed the room", async () => {
  const project = makeProject();
  project.write(".waymark/config.json", { standards: "auto" });
  for (const at of [1, 2, 3])
    project.write(
      `.waymark/standards/${"context-".repeat(8)}${at}.md`,
      `# ${"Gather the context of shape ".repeat(20)}\n`,
    );
  const { client } = await openWindow(project.root);
  await client.callTool({ name: "search_standards", arguments: { query: "context" } });
  const { standards: named } = (await client.callTool({ name: "shape_bot", arguments: {} })).structuredContent as {
    standards?: string[];
  };
  expect(countTokens(JSON.stringify({ standards: named ?? [] }))).toBeLessThanOrEqual(40);
});
