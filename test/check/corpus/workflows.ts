import type { JsonObject } from "../../../src/kit/json.ts";
import { sha256 } from "../../../src/kit/sha256.ts";
import type { Case } from "../broken-bot.ts";

const metadata = { title: "Survey", description: "Looks at a file.", total_phases: 2 };
const first = "# Phase 1: Look\n\n## Validation Gate\n\n- [ ] `file_read`\n";
const second = "# Phase 2: Count\n\nMust provide `function_count`: number of functions, at least 1.\n";
const sound = {
  "workflows/survey/metadata.json": metadata,
  "workflows/survey/phases/1/phase.md": first,
  "workflows/survey/phases/2/phase.md": second,
};
const at = (phase: number, file = "phase.md") => `workflows/survey/phases/${phase}/${file}`;

/** The copy that a session of an earlier version made: it read a number, where the page is asked for as written. */
const copy = JSON.stringify({
  type: "notes",
  phases: [
    { number: 1, content: "## Phase 1: Look\n\n- [ ] `notes`: version number", tasks: [], gate: gateWith("notes") },
    { number: 2, content: "## Phase 2: Act\n\n- [ ] `done`: before", tasks: [], gate: gateWith("done") },
  ],
});
const pinnedNotes = { [`pinned/${sha256(copy)}.json`]: copy };

function gateWith(field: string): JsonObject {
  return { requirements: [{ field, type: "number", required: true, description: field, rules: [] }], approval: false };
}

/** Phased workflows that do not start, and what their authors most likely do not mean. */
export const workflowCases: readonly Case[] = [
  { title: "a sound phased workflow", files: sound, finds: [] },
  {
    title: "a sound phased workflow in one file",
    files: {
      "workflows/one.md":
        "# One\n\n## Phase 0: Look\n\nEvidence: `seen` flag\n\n## Phase 1: Act\n\nApproval: required\n",
    },
    finds: [],
  },
  {
    title: "a workflow without metadata",
    files: { ...sound, "workflows/survey/metadata.json": null },
    finds: ["missing-workflow-metadata workflows/survey/metadata.json:1"],
  },
  {
    title: "metadata that is no JSON",
    files: { ...sound, "workflows/survey/metadata.json": '{\n  "title": "Survey",\n}\n' },
    finds: ["malformed-json workflows/survey/metadata.json:3"],
  },
  {
    title: "a number of phases that is none",
    files: { ...sound, "workflows/survey/metadata.json": { title: "Survey", total_phases: "two" } },
    finds: ["wrong-type workflows/survey/metadata.json:3"],
  },
  {
    title: "phases in metadata that are no list of phases with numbers",
    files: { ...sound, "workflows/survey/metadata.json": { ...metadata, phases: ["Look", "Count"] } },
    finds: ["wrong-type workflows/survey/metadata.json:5"],
  },
  {
    title: "a count where metadata lists its phases",
    files: { ...sound, "workflows/survey/metadata.json": { title: "Survey", description: "Looks.", phases: 2 } },
    finds: ["wrong-type workflows/survey/metadata.json:4"],
  },
  {
    title: "a task list said otherwise than with dynamic, and an option named otherwise than with source_path_key",
    files: {
      ...sound,
      "workflows/survey/metadata.json": { ...metadata, total_phases: "dynamic", dynamic: "yes" },
      "workflows/build/metadata.json": {
        title: "Build",
        description: "Builds.",
        dynamic: true,
        dynamic_config: { option: "plan" },
      },
    },
    finds: [
      "wrong-type workflows/build/metadata.json:5",
      "wrong-type workflows/survey/metadata.json:4",
      "wrong-type workflows/survey/metadata.json:5",
    ],
  },
  {
    title: "metadata that counts fewer phases than there are",
    files: { ...sound, "workflows/survey/metadata.json": { ...metadata, total_phases: 1 } },
    finds: ["phase-count-differs workflows/survey/metadata.json:4"],
  },
  {
    title: "metadata that promises more phases than there are",
    files: { ...sound, "workflows/survey/metadata.json": { ...metadata, total_phases: 3 } },
    finds: ["missing-phase workflows/survey/metadata.json:4"],
  },
  {
    title: "a gap in the numbers of phases",
    files: { ...sound, [at(2)]: null, [at(3)]: second },
    finds: ["missing-phase workflows/survey/phases:1"],
  },
  {
    title: "two folders with one number, and one without",
    files: {
      ...sound,
      "workflows/survey/phases/02_more/phase.md": second,
      "workflows/survey/phases/last/phase.md": second,
    },
    finds: [
      "phase-count-differs workflows/survey/metadata.json:4",
      "duplicate-phase workflows/survey/phases:1",
      "unnumbered-phase workflows/survey/phases/last:1",
    ],
  },
  {
    title: "a phase without a text",
    files: { ...sound, [at(2)]: null, [at(2, "task-1-count.md")]: "# Task 1: Count\n" },
    finds: ["missing-phase-file workflows/survey/phases/2:1"],
  },
  {
    title: "a folder of a workflow without phases",
    files: { "workflows/survey/metadata.json": metadata },
    finds: ["no-phases workflows/survey/phases:1"],
  },
  {
    title: "two workflows with one name",
    files: { ...sound, "workflows/survey.md": "## Phase 1: Look\n\nApproval: required\n" },
    finds: ["duplicate-workflow workflows/survey:1"],
  },
  {
    title: "a phase that asks for nothing",
    files: { ...sound, [at(2)]: "# Phase 2: Count\n\nCount the functions. Evidence matters.\n" },
    finds: [`phase-without-requirement ${at(2)}:1`],
  },
  {
    title: "a phase that calls a workflow that does not exist",
    files: { ...sound, "workflows/calls.md": "## Phase 1: Look\n\n```yaml gate\nworkflow: gone\n```\n" },
    finds: ["broken-call workflows/calls.md:4"],
  },
  {
    title: "two checkboxes of one name",
    files: { ...sound, [at(2)]: "# Phase 2: Count\n\n- [ ] `counted`: the functions\n- [ ] `counted`: the methods\n" },
    finds: [`repeated-name ${at(2)}:4`],
  },
  {
    title: "phases of a page that are out of order, and a page without any",
    files: {
      "workflows/one.md": "## Phase 1: Look\n\nApproval: required\n\n## Phase 3: Act\n\nApproval: required\n",
      "workflows/two.md": "# Two\n\nApproval: required\n",
    },
    finds: ["phases-renumbered workflows/one.md:5", "one-phase workflows/two.md:1"],
  },
  {
    title: "a phase whose text an earlier version read otherwise, and one that was changed since",
    files: {
      "workflows/notes.md":
        "## Phase 1: Look\n\n- [ ] `notes`: version number\n\n## Phase 2: Act\n\n- [ ] `done`: in other words\n",
      ...pinnedNotes,
    },
    finds: ["read-otherwise-before workflows/notes.md:3"],
  },
  {
    title: "a condition that compares a word with a field that may be any text, and a placeholder that names nothing",
    files: {
      ...sound,
      "workflows/routed.md":
        "## Phase 1: Look\n\n```yaml gate\nevidence_schema:\n  verdict: { type: string, required: true }\nthen:\n  - { when: 'verdict == \"bad\"', back_to: look, at_most: 2 }\n```\n\n## Phase 2: Act\n\nSee {{look.verdict}} and {{inputs.none}}.\n\nApproval: required\n",
    },
    finds: ["open-text-compared workflows/routed.md:7", "unknown-placeholder workflows/routed.md:12"],
  },
  {
    title: "a condition that reads a field which may be left out",
    files: {
      ...sound,
      "workflows/routed.md":
        "## Phase 1: Look\n\n```yaml gate\nevidence_schema:\n  about: { type: string, required: true }\n  size: { type: integer, required: false }\n```\n\n## Phase 2: Act\n\n```yaml gate\nwhen: look.size > 3\napproval: required\n```\n",
    },
    finds: ["optional-field-compared workflows/routed.md:12"],
  },
  {
    title: "a gate block with several errors, a second one in a list, and a gate file beside a page that is broken",
    files: {
      ...sound,
      "workflows/blocks.md":
        "## Phase 1: Look\n\n```yaml gate\naproval: required\nevidence_schema:\n  n: { type: moment }\n```\n\n## Phase 2: Act\n\n```yaml gate\napproval: required\n```\n\n1. Ask\n   ```yaml gate\n   approval: required\n   ```\n",
      "workflows/beside.md": "## Phase 1: Look\n\nLook around.\n",
      "workflows/beside/phases/1/gate-definition.yaml": "aproval: required\n",
    },
    finds: [
      "gate-wrong-value workflows/beside/phases/1/gate-definition.yaml:1",
      "gate-unknown-key workflows/blocks.md:4",
      "gate-wrong-value workflows/blocks.md:6",
      "gate-unknown-key workflows/blocks.md:16",
    ],
  },
  {
    title: "routes that lead nowhere, or whose condition cannot hold",
    files: {
      ...sound,
      [at(1, "gate-definition.yaml")]:
        "evidence_schema:\n  n: { type: integer, required: true }\nthen:\n  - { when: n > 0, back_to: polish, at_most: 2 }\n",
      [at(2, "gate-definition.yaml")]:
        "evidence_schema:\n  n: { type: integer, required: true }\nthen:\n  - { when: 'n == \"many\"', end: no-go }\n",
    },
    finds: [
      `requirement-not-understood ${at(1, "gate-definition.yaml")}:4`,
      `requirement-not-understood ${at(2, "gate-definition.yaml")}:4`,
    ],
  },
  {
    title: "a phase whose gate file asks for rules, which a phase has not",
    files: {
      ...sound,
      [at(2, "gate-definition.yaml")]: "evidence_schema:\n  n: { type: integer, required: true }\nchecks: [rules]\n",
    },
    finds: [`requirement-not-understood ${at(2, "gate-definition.yaml")}:1`],
  },
  {
    title: "a phase whose gate file is broken",
    files: { ...sound, [at(2, "gate-definition.yaml")]: "evidence_schema:\n  n: { type: moment }\n" },
    finds: [`gate-wrong-value ${at(2, "gate-definition.yaml")}:2`],
  },
  {
    title: "tasks with one number, and with none",
    files: {
      ...sound,
      [at(2, "task-1-count.md")]: "# Count\n",
      [at(2, "task-01-sum.md")]: "# Sum\n",
      [at(2, "task-extra.md")]: "# Extra\n",
    },
    finds: ["duplicate-task workflows/survey/phases/2:1", `unnumbered-task ${at(2, "task-extra.md")}:1`],
  },
  {
    title: "texts that name a phase before its time",
    files: {
      ...sound,
      "workflows/survey/metadata.json": { ...metadata, description: "Ends with Counting functions." },
      [at(1)]: `${first}\nThen comes Counting functions.\n`,
      [at(2)]: second.replace("Count", "Counting functions"),
    },
    finds: ["tells-ahead workflows/survey/metadata.json:1", `tells-ahead ${at(1)}:7`],
  },
  {
    title: "documents that a phase names: one is read, the others cannot reach the assistant, and one nobody names",
    files: {
      ...sound,
      [at(1)]:
        `${first}\n[a](../../core/naming.md#top), [b](../2/phase.md), [c](../../../other.txt.md), [d](../../core/no.md)\n`,
      "workflows/survey/core/naming.md": "# Naming\n\nName things well.\n",
      "workflows/survey/core/lost.md": "# Lost\n\nNobody names it.\n",
    },
    finds: [
      "unread-file workflows/survey/core/lost.md:1",
      `tells-ahead ${at(1)}:7`,
      `unfollowed-link ${at(1)}:7`,
      `unfollowed-link ${at(1)}:7`,
    ],
  },
  {
    title: "a document that asks for evidence, which is asked for in a phase only",
    files: {
      ...sound,
      [at(1)]: `${first}\n[a](../../core/naming.md)\n`,
      "workflows/survey/core/naming.md": "# Naming\n\n## Validation Gate\n\n- [ ] `names_checked`: all names\n",
    },
    finds: [`gate-sources-differ ${at(1)}:7`],
  },
];
