import { expect, test } from "vitest";
import { askedIn, readGate } from "./asked.testing.ts";

const approvalIn = (markdown: string): boolean => readGate(markdown).gate.approval;

test.each([
  ["- [ ] CI green\n**Human Approval**: REQUIRED", ["ci_green boolean"]],
  ["- [ ] CI green\n  **Human Approval**: REQUIRED", ["ci_green boolean"]],
  ["- [ ] CI green\nApproval: required", ["ci_green boolean"]],
  ["1. [ ] CI green\n2. [ ] Docs done\n**Approval required from:** CISO", ["ci_green boolean", "docs_done boolean"]],
  ["- `a_count`: integer\n**Human Approval**: REQUIRED", ["a_count integer"]],
  [
    "| Evidence | Type | Validator |\n|---|---|---|\n| `a_count` | integer | greater_than_0 |\n**Human Approval**: REQUIRED",
    ["a_count integer, more than 0"],
  ],
  ["☐ CI green\n**Human Approval**: REQUIRED", ["ci_green boolean"]],
])("right below an entry, without a blank line, an approval is one all the same: %s", (markdown, wanted) => {
  const text = `### Validation Gate\n\n${markdown}\n`;
  expect(askedIn(text)).toEqual(wanted);
  expect(approvalIn(text)).toBe(true);
});

test.each([
  "**Approval required from:** CISO",
  "**Human Review Required**: Yes",
  "**Approval Gate**: user must approve the plan",
  "**Requires Approval**: yes",
  "**Sign-off required:** Yes — product owner",
  "**Gate type**: human approval",
  "**Human-in-the-loop**: required",
  "### Human Review\n\nThe lead looks at it.",
  "Do not proceed without the user's explicit approval.",
  "Do not move to the next phase until the tech lead has\nsigned off.",
  "Never continue without explicit sign-off.",
  "Wait for the user to approve before continuing",
  "Present the plan to the user and wait for confirmation.",
  "STOP: get sign-off from the product owner",
  "Ask the user to confirm the plan.",
  "The user must explicitly approve the design before you write code.",
  "The plan must be reviewed and approved by the product owner.",
  "This phase can only be completed after the user has approved the plan.",
  "This phase requires manager sign-off.",
  "| Human Approval | Required |\n|---|---|",
])("a person's word is asked for in many ways: %s", (said) => {
  expect(approvalIn(said)).toBe(true);
  expect(approvalIn(`Must provide \`a_count\`\n\n${said}`)).toBe(true);
});

test.each([
  "**Human Approval**: no",
  "**Human Approval**: optional",
  "**Human Approval**: None needed.",
  "This phase does not require approval.",
  "You do not need to wait for approval. Proceed without approval.",
  "Approval is recorded in Jira. After approval the PR is merged. Once approved, it is deployed.",
  "The API needs an approval token. The team approved this process in 2021.",
  "**Approved by:** Jane Doe",
  "Must provide `approver`: name of the person who approved",
  "Must provide `approval_count`: number of approvals, at least 2",
  "### Example\n\n**Human Approval**: REQUIRED",
])("what asks for no person asks for none: %s", (said) => {
  expect(approvalIn(said)).toBe(false);
});

test("in a gate it is enough to name it", () => {
  for (const said of ["human sign-off", "requires manager sign-off", "reviewed and approved by a human"]) {
    const text = `### Exit criteria\n\n- All tests pass\n- ${said}\n`;
    expect(askedIn(text), said).toEqual(["all_tests_pass boolean"]);
    expect(approvalIn(text), said).toBe(true);
  }
  expect(approvalIn("### Sign-off\n\n- [ ] Done\n\n**Approved by:** ______\n")).toBe(true);
});

test("a box about a person's approval stays evidence, and the person is asked", () => {
  for (const [said, field] of [
    ["User approved the plan", "user_approved_the_plan"],
    ["Sign-off from legal", "sign_off_from_legal"],
    ["Plan approved by a human", "plan_approved_by_a_human"],
  ] as const) {
    const text = `### Validation Gate\n\n- [ ] ${said}\n`;
    expect(askedIn(text)).toEqual([`${field} boolean`]);
    expect(approvalIn(text), said).toBe(true);
  }
  expect(approvalIn("### Validation Gate\n\n- [ ] No approval needed\n- [ ] Approved libraries only\n")).toBe(false);
});

test("a sentence may ask for evidence and for a person", () => {
  const text = "Must provide `plan_path`: path. Human approval is required.";
  expect(askedIn(text)).toEqual(["plan_path string"]);
  expect(approvalIn(text)).toBe(true);
});
