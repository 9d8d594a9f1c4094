import { join } from "node:path";
import { expect, test } from "vitest";
import { makeProject } from "../project.ts";
import { openWindow } from "../window.ts";
import { document, table } from "./markdown.ts";

// `npm run reference` writes this page again.
const page = join(import.meta.dirname, "../../docs/reference/tools.md");

type Property = { readonly type?: string; readonly enum?: readonly string[]; readonly description?: string };
type Example = readonly [tool: string, args: Record<string, unknown>, note: string];

const release = `# Release

## Phase 1: Prepare

Must provide:
- \`version\`: the new version, text
- \`open_issues\`: number of open issues

## Phase 2: Publish

Hand in: \`notes\`, a file
`;

test("docs/reference/tools.md shows each tool with a call and its reply", async () => {
  const project = makeProject();
  project.write(".waymark/bots/story_bot/bot_config.json", { name: "story_bot", behaviors: ["shape"] });
  project.write(".waymark/workflows/release.md", release);
  project.write(".waymark/standards/naming.md", "# Naming tests\n\nA test is named after the rule it proves.\n");
  const window = await openWindow(project.root);
  const { tools } = await window.client.listTools();
  const begun = await window.call("start_workflow", { workflow_type: "release", target_file: "CHANGELOG.md" });
  const session_id = String((begun as unknown as Record<string, unknown>).session_id);
  const evidence = { version: "0.3.0", open_issues: 0 };
  const examples: Example[] = [
    ["story_bot", {}, "Opens the current action."],
    ["shape_bot", { resume: "continue" }, "The same for one behavior."],
    ["complete_action", { outputs: { users: ["guests"] } }, "Without an approval, the step waits for a person."],
    [
      "complete_action",
      { outputs: { users: ["guests"] }, confirmation: "Yes, go on." },
      "With the person's own words, from a client that cannot ask them.",
    ],
    ["start_workflow", { workflow_type: "release", target_file: "CHANGELOG.md" }, "Starts a session, or resumes it."],
    ["get_phase_content", { session_id, requested_phase: 2 }, "Phase 2 is not open yet."],
    ["complete_phase", { session_id, phase: 1, evidence: { version: "0.3.0" } }, "One requirement is missing."],
    ["complete_phase", { session_id, phase: 1, evidence }, "Passed: the reply opens the next phase."],
    ["get_workflow_state", { session_id }, "The position of a session."],
    [
      "search_standards",
      { query: "how do we name tests", terms: ["naming", "test title"] },
      "The passages that answer.",
    ],
  ];
  const shown = new Map<string, string[]>();
  for (const [tool, args, note] of examples) {
    const { isError, text: _, ...reply } = await window.call(tool, args);
    const call = json({ name: tool, arguments: args });
    const parts = [note, call, isError ? "Reply, with `isError`:" : "Reply:", json(reply)];
    shown.set(tool, [...(shown.get(tool) ?? []), ...parts]);
  }
  const parts = tools.flatMap(({ name, title, description = "", inputSchema }) => [
    `## ${name}`,
    `**${title}.** ${description}`,
    table(["argument", "type", "meaning"], argumentsOf(inputSchema as Parameters<typeof argumentsOf>[0])),
    ...(shown.get(name) ?? []),
  ]);
  expect([...shown.keys()].sort()).toEqual(tools.map(({ name }) => name).sort());
  await expect(
    document(
      "Tools",
      "For people who write a client or look at what an assistant sees. These are the tools of a project with one bot (`story_bot`, with the behavior `shape`), one workflow (`release`) and standards. Each reply is shown as `structuredContent`.",
      ...parts,
    ),
  ).toMatchFileSnapshot(page);
});

function argumentsOf(schema: {
  readonly properties?: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
}): string[][] {
  return Object.entries(schema.properties ?? {}).map(([name, { type, enum: choices, description = "" }]) => [
    `\`${name}\`${schema.required?.includes(name) === true ? " (required)" : ""}`,
    choices === undefined ? (type ?? "any") : choices.map((one) => `\`${one}\``).join(", "),
    description,
  ]);
}

/** A value as a block of JSON; what differs from run to run is replaced. */
function json(value: unknown): string {
  const ids = new Map<string, string>();
  const text = JSON.stringify(value, null, 2)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "2026-11-19T10:00:00.000Z")
    .replaceAll(/"attempt": "[^"]+"/g, '"attempt": "k3f9x2"')
    .replaceAll(/"duration": [\d.]+/g, '"duration": 42')
    .replaceAll(/"score": [\d.]+/g, '"score": 1')
    .replaceAll(/\b[0-9a-f]{24}\b/g, (id) => ids.set(id, "5f2c81a0b9d34e67c1f8a2b3").get(id) ?? id);
  return `\`\`\`json\n${text}\n\`\`\``;
}
