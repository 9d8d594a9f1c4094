import type { Line } from "./lines.ts";

/** Where a demand stands, and what stands around it: lines that were once lost, merged or turned round by that. */
export const sentencesInPlace: readonly Line[] = [
  ["- Must provide at least 3 of `a`, `b`, `c`, `d`.", "closed"],
  ["- Must provide any of `a`, `b`", "closed"],
  ["- Must provide `a` or `b`", "closed"],
  ["Checkpoint: all tests green and `a` at least 4", "closed"],
  ["Required: all tests green, `a` at least 4, and the docs are updated", "closed"],
  ["Required: `a` at least 4, and the docs are updated", "closed"],
  ["Must provide the number of open bugs as `open_bugs`, at most 4", "open_bugs | integer | at most 4"],
  ["- Must not provide `secret`\n- Must provide `a`: text", "a | string", "finding"],
  ["Must never provide `secret` values.", "finding"],
  ["> [!IMPORTANT]\n> Must provide `q`: integer, at least 3", "q | integer | at least 3"],
  ["> [!WARNING]\n> Be careful with the old tables.\n\n- Must provide `q`: integer", "q | integer"],
  ["**Human Approval**: ✅", "approval", "finding"],
  ["**Human Approval**: 👍", "approval", "finding"],
  ["Human approval: [ ]", "approval", "finding"],
  ["Sign-off: ?", "approval", "finding"],
  ["Approval:\n\n- Dana\n- Lee", "approval", "finding"],
  ["Must provide, in this order, `a` and `b`.", "a | string", "b | string"],
  ["**Human Approval**:", "approval", "finding"],
  ["**Human Approval**: ❌", "approval", "finding"],
];

/** Boxes, entries and paragraphs under the heading of a gate. */
export const boxesInPlace: readonly Line[] = [
  ["- [ ] Must provide `q`: integer at least 9", "q | integer | at least 9"],
  ["- [ ] Must provide `a` and `b`: integer", "a | integer", "b | integer"],
  ["- [ ] Provide `coverage`: number, at least 80", "coverage | number | at least 80"],
  ["- [ ] Required: `e`: integer, at least 2", "e | integer | at least 2"],
  ["- [ ] The count `j`, at least 2", "j | integer | at least 2"],
  ["- [ ] Coverage `cov`: number, at least 80", "cov | number | at least 80"],
  ["- [ ] Optional: `c`: integer, at least 2", "c | integer | optional | at least 2"],
  ["- [ ] (optional) `c`: integer, at least 2", "c | integer | optional | at least 2"],
  ["- [ ] Must provide `report`", "report | boolean | true"],
  ["- [ ] Make sure `q` is at least 9", "closed"],
  ["- [ ] Required: screenshots attached", "required_screenshots_attached | boolean | true"],
  ["- [ ] All of `parse` is covered", "parse | boolean | true"],
  [
    "- [ ] `design_doc`: path of the design, must exist, approved by the architect",
    "design_doc | string | the path of a file that exists",
    "approval",
  ],
  ["- [ ] `reviewers`: list of reviewers who approved, at least 2", "reviewers | list | at least 2 long", "approval"],
  ["- [ ] `approved_count`: count of approved PRs, at least 3", "approved_count | integer | at least 3", "approval"],
  ["- [ ] `plan_approved`: boolean, approved by at least one lead", "approval"],
  ["- [ ] `q`: integer\n\nProceed only if `q` is greater than 7.", "closed"],
  ["- [ ] `q`: integer\n\n`q` is greater than 7.", "closed"],
  ["- [ ] `q`: integer\n\nThe value of `q` goes into the report.", "q | integer"],
  ["- [ ] Logs kept\n\n`q` integer at least 3", "closed"],
  ["- [ ] Logs kept\n\nThe `q` is an integer of at least 3.", "logs_kept | boolean | true", "finding"],
  ["- [ ] Logs kept\n\nCoverage has to reach 80%.", "logs_kept | boolean | true", "finding"],
  ["- [ ] Logs kept\n\nMake sure that no test fails.", "logs_kept | boolean | true", "finding"],
  ["- [ ] Logs kept\n\nYou need: 3 reviewers.", "logs_kept | boolean | true", "finding"],
  ["- [ ] Logs kept\n\nDo not proceed until every box is ticked.", "logs_kept | boolean | true"],
  ["- [ ] Logs kept\n\nWith the logs the next phase begins.", "logs_kept | boolean | true"],
  [
    "- [ ] Everything is done\n  - `report`: path, must exist",
    "everything_is_done | boolean | true",
    "report | string | the path of a file that exists",
  ],
  ["- [ ] Everything is done\n  - coverage at least 80%", "everything_is_done | boolean | true", "finding"],
  [
    "- **Must provide:**\n  - `b`: integer, at least 4\n- **Optional:**\n  - `c`: integer, at least 5",
    "b | integer | at least 4",
    "c | integer | optional | at least 5",
  ],
  ["- Must not provide `secret`\n- Must provide `a`: text", "a | string", "finding"],
  ["- [ ] `a`: integer\n\n```yaml\nevidence_schema:\n  n: { type: integer }\n```", "a | integer", "finding"],
];

/** Rows of an evidence table: `| Evidence | Type | Validator | Description |`. */
export const rowsInPlace: readonly Line[] = [
  ["| `a` | integer | | at least 5 |", "closed"],
  ["| `b` | integer | greater_than_0 | must not exceed 9 |", "closed"],
  ["| `b` | integer | greater_than_0 | how many, more than 0 |", "b | integer | more than 0"],
  ["| `n` | integer | none | must be at least 3 of them |", "n | integer", "finding"],
  ["| `n` | integer | none | how many, optional |", "n | integer", "finding"],
  ["| `approvals` | integer | greater_than_1 | how many |", "approvals | integer | more than 1", "approval"],
  ["| `plan_approved` | boolean | is_true | by the lead |", "approval"],
  [
    "| `a` | integer | > 0 | how many |\n| `a` | integer | < 9 | how many |",
    "a | integer | more than 0 | less than 9",
    "finding",
  ],
  ["| `a` | integer | > 0 | how many |\n| ~~`b`~~ | integer | > 0 | gone |", "a | integer | more than 0"],
  ["| `a` | integer | > 0 | how many |\n| ~~Sign-off~~ | | | gone |", "a | integer | more than 0"],
];

/** Whole documents; each demand is prefixed with its phase. */
export const documentsInPlace: readonly Line[] = [
  ...["**Acceptance Criteria:**", "#### Acceptance Criteria"].map(
    (label): Line => [
      `## Phase 1: A\n\n### Task 1: Look\n\n${label}\n\n- [ ] \`t1b\`: integer, at least 2\n\n### Validation Gate\n\n- [ ] \`x\`: integer`,
      "1: t1b | integer | at least 2",
      "1: x | integer",
    ],
  ),
  [
    "# S\n\nHuman Approval: REQUIRED for every phase.\n\n## Phase 1: A\n\n- Must provide `a`: text",
    "1: a | string",
    "finding",
  ],
  [
    "# S\n\nMust provide `glob`: integer, at least 3.\n\n## Phase 1: A\n\n- Must provide `a`: text",
    "1: a | string",
    "finding",
  ],
  [
    "# S\n\n| Evidence | Type |\n| --- | --- |\n| `glob` | integer |\n\n## Phase 1: A\n\n- Must provide `a`: text",
    "1: a | string",
    "finding",
  ],
  [
    "# S\n\nEach phase must provide evidence before the next one begins.\n\n- [ ] Phase 1\n\n## Phase 1: A\n\n- Must provide `a`: text",
    "1: a | string",
  ],
  ...["Phase 2 Entry Criteria", "Entry criteria", "Requirements", "Outputs", "Phase 1 Checklist", "Phase 1 exit"].map(
    (heading): Line => [
      `## Phase 1: A\n\n### ${heading}\n\n- [ ] \`q\`: integer, at least 9\n\n### Validation Gate\n\n- [ ] \`x\`: integer\n\n## Phase 2: B\n\n- Must provide \`y\`: text`,
      "1: x | integer",
      "2: y | string",
      "finding",
    ],
  ),
  [
    "## Phase 1: A\n\n### Steps\n\n- [ ] `parse` is read\n- [ ] Everything else too\n\n### Validation Gate\n\n- [ ] `x`: integer",
    "1: x | integer",
  ],
  [
    "## Phase 1: A\n\n- Must provide `x`: text\n\n### Phase 3 Gate\n\n- [ ] `a`: integer",
    "1: x | string",
    "1: a | integer",
    "finding",
  ],
  [
    "## Phase 1: A\n\n- [ ] `q`: integer, at least 9\n\n## Phase 2: B\n\n- [ ] `r`: integer, at least 9\n\n## Gates\n\n### Gate for Phase 2\n\n- [ ] `v`: integer",
    "1: q | integer | at least 9",
    "2: v | integer",
    "finding",
  ],
  [
    "## Phase 1: A\n\n| Evidence | Type |\n| --- | --- |\n| `a` | integer |\n\n### Validation Gate\n\n- [ ] `a`: integer, not too many",
    "1: a | integer",
    "finding",
  ],
];
