import { expect, test } from "vitest";
import { describeRule } from "../../../gates/rule-vocabulary.ts";
import { parseMarkdown } from "../markdown/markdown.ts";
import { proseGate } from "./prose-gate.ts";

function read(text: string) {
  const document = parseMarkdown(text);
  if ("unusable" in document) throw new Error(document.unusable);
  const { gate, lines } = proseGate([{ nodes: document.tree.children, path: "/w.md", file: "w.md" }]);
  return {
    fields: gate.requirements.map(({ field, type, rules, checked }) =>
      [field, ...(checked === false ? ["asked"] : [type, ...rules.map(describeRule)])].join(" | "),
    ),
    echoed: lines.map(({ line, kind, requirement }) => `${line} ${kind} ${requirement?.field ?? ""}`.trim()),
    approval: gate.approval,
  };
}

const asking = (line: string) => read(`## Exit criteria\n\n- ${line}\n`);

test.each([
  [
    "Must provide `claims`: list, at least 3\nMust provide `verdict`: one of: accept, reject",
    ["claims | list | at least 3 long", "verdict | string | one of: accept, reject"],
  ],
  ["required: `url` (url)\nrequired: `published_on` (date)", ["url | url", "published_on | date"]],
  [
    "Checkpoint: the oven is cold\nEvidence: a photo of the dial",
    ["the_oven_is_cold | asked", "a_photo_of_the_dial | asked"],
  ],
])("each line of a paragraph that begins with a request is a requirement of its own: %s", (text, fields) => {
  expect(read(text).fields).toEqual(fields);
});

test("a request that goes on in the next line is one requirement", () => {
  expect(read("Must provide `retries`: integer,\nat least 3").fields).toEqual(["retries | integer | at least 3"]);
});

test("where a label says that no approval is needed, checkboxes about one are asked", () => {
  const { fields, approval } = read(
    "Human approval: not required\n\n- [ ] The product owner approves the text\n- [ ] QA signs off\n",
  );
  expect(fields).toEqual(["the_product_owner_approves_the_text | asked", "qa_signs_off | asked"]);
  expect(approval).toBe(false);
});

test("a name inside a list of things does not take the type of another thing", () => {
  for (const { fields } of [
    read("Hand in:\n\nstore link (url), `rollout_percent`, release date"),
    asking("store link (url), `rollout_percent`, release date"),
  ])
    expect(fields).toEqual(["store_link_url_rollout_percent_release | asked"]);
  expect(read("Hand in: store link (url), `rollout_percent`, release date").fields).toHaveLength(3);
});

test.each(["`a`, `b` and `c`: integers", "`a`, `b` and `c` (integers)"])("%s is the type of each", (line) => {
  expect(asking(line).fields).toEqual(["a | integer", "b | integer", "c | integer"]);
});

test("each of several integers has the limit behind them", () => {
  expect(asking("`a` and `b`: integers, at least 1").fields).toEqual([
    "a | integer | at least 1",
    "b | integer | at least 1",
  ]);
});

test.each(["if severity is high", "only for UI changes", "conditional"])(
  "a row that is required %s is asked",
  (required) => {
    const row = (cell: string) => `| Field | Type | Required |\n|---|---|---|\n| \`cause\` | integer | ${cell} |\n`;
    expect(read(row(required)).fields).toEqual(["cause | asked"]);
    expect(read(row("yes")).fields).toEqual(["cause | integer"]);
  },
);

test("a column that says what is optional is read as that", () => {
  const row = (cell: string) => `| Field | Type | Optional |\n|---|---|---|\n| \`cause\` | integer | ${cell} |\n`;
  const isRequired = (text: string) => {
    const document = parseMarkdown(text);
    if ("unusable" in document) throw new Error(document.unusable);
    return proseGate([{ nodes: document.tree.children, path: "/w.md", file: "w.md" }]).gate.requirements[0]?.required;
  };
  expect([row("yes"), row("no"), row("")].map(isRequired)).toEqual([false, true, true]);
});

test("a bare limit on a described thing or a single thing is asked", () => {
  expect(asking("`reasons`: at least two, in full sentences").fields).toEqual(["reasons | asked"]);
  expect(asking("`title`: at most 60").fields).toEqual(["title | asked"]);
  expect(asking("`coverage`: at least 80% line coverage").fields).toEqual(["coverage | number | at least 80"]);
  expect(asking("`cycles`: integer, at least 3").fields).toEqual(["cycles | integer | at least 3"]);
});

test("a checkbox whose name another one has is echoed under the name it gets, as it is judged", () => {
  const { fields, echoed } = read("- [ ] `cycles`: as you see fit\n- [ ] `cycles`: integer, at least 5\n");
  expect(fields).toEqual(["cycles | asked", "cycles_2 | integer | at least 5"]);
  expect(echoed).toEqual(["1 asked cycles", "2 enforced cycles_2"]);
});

test("an item that leads to a list inside it is asked too", () => {
  expect(asking("The excess has been explained:\n  - on the telephone, or\n  - in the letter").echoed).toContain(
    "3 asked the_excess_has_been_explained",
  );
});

test("a third party that signs or agrees to something approves", () => {
  for (const line of ["Customer agrees to any extra over £20", "The lender's courier signs the packing list"])
    expect(asking(line).approval, line).toBe(true);
  expect(read("The lender signs the receipt form.").approval).toBe(true);
  expect(read("The build server signs the archive.").approval).toBe(false);
  expect(asking("The number agrees with the ledger").approval).toBe(false);
});

test("who accepts and signs is told from what is accepted and signed, not by a list of roles", () => {
  for (const line of [
    "The foreman gave the go-ahead",
    "The harbour pilot accepts the route",
    "Signed by both parties",
    "My aunt has signed",
  ])
    expect(asking(line).approval, line).toBe(true);
  for (const line of ["The parser accepts empty input", "The server accepts the old token", "Signed packages only"])
    expect(asking(line).approval, line).toBe(false);
});

test("a list with quotes and an `and` among its words is no choice", () => {
  expect(asking('**Processor**: name and seat, or "own staff"').fields).toEqual(["processor | asked"]);
});

test("an example of an optional field is not refused either", () => {
  const { fields } = read('## Evidence\n\n- `cov`: list of files, optional\n\n```json\n{ "cov": false }\n```\n');
  expect(fields).toEqual(["cov | asked"]);
});

test("a request on a line of its own inside an item is a requirement of its own, whole", () => {
  expect(asking("theta\n  required: iota,\n  three at most").fields).toEqual([
    "theta | asked",
    "iota_three_at_most | asked",
  ]);
});

test("where requirements are listed, a name that is an asking word is a name", () => {
  expect(asking("**Evidence**: text").fields).toEqual(["evidence | string"]);
  expect(asking("**Requirements**: list").fields).toEqual(["requirements | list"]);
  expect(asking("`criteria`: list").fields).toEqual(["criteria | list"]);
  expect(asking("**Hand in:** the log, the photo").fields).toEqual(["the_log | asked", "the_photo | asked"]);
});

test.each([
  ["When you are done, tell us what was sold and what came back.", ["what_was_sold_and_what_came | asked"]],
  ["Deliver `clip` (url) and `audience` (integer).", ["clip | url", "audience | integer"]],
  [
    "Exit criteria: key revoked; `audit_id` recorded; on-call informed",
    ["key_revoked", "audit_id", "on_call_informed"].map((one) => `${one} | asked`),
  ],
  ["Final checks\n\n- `total`: number\n", ["total | number"]],
  ["We deliver `clip` to the archive in spring.", []],
])("%s asks for what it names", (text, fields) => {
  expect(read(text).fields).toEqual(fields);
});

test("a range may be below zero", () => {
  for (const said of ["between -16 and -9", "-16 to -9", "from -16 to -9"])
    expect(asking(`\`lufs\`: number, ${said}`).fields).toEqual(["lufs | number | at least -16 | at most -9"]);
});

test("a range in numbers ends where the next name begins; a range of names is one thing", () => {
  expect(asking("`ph` (between 6.5 and 7.5), `volume`, `by`").fields).toHaveLength(3);
  expect(asking("`ph` between 6.5 and 7.5, `volume` between -5 and 9, and `by`").fields).toEqual([
    "ph | number | at least 6.5 | at most 7.5",
    "volume | number | at least -5 | at most 9",
    "by | asked",
  ]);
  expect(asking("`middle`: number, between `low` and `high`").fields).toHaveLength(1);
});

test("a line that asks for an approval and for a field asks for no third thing", () => {
  const { fields, approval } = read("Gate 3: the director approves the final page; `receipt` (file).");
  expect([fields, approval]).toEqual([["receipt | file | the path of a file that exists"], true]);
  const box = read("- [ ] The lender has signed; `contract` (file)\n");
  expect([box.fields, box.approval]).toEqual([["contract | file | the path of a file that exists"], true]);
  expect(read("Gate: Dana approves the page; the numbers agree with the ledger").fields).toHaveLength(1);
});

test("a box in a cell and a label above drawn bullets ask", () => {
  const table = "| Document | Where | Have it? |\n|---|---|---|\n| Bank statements | online | ☐ |\n";
  expect(read(table).fields).toEqual(["bank_statements | asked"]);
  expect(read(`${table}| Keys | desk | |\n| Total | | n/a |\n`).fields).toEqual([
    "bank_statements | asked",
    "keys | asked",
  ]);
  expect(read("Checklist (all of it!)\n• hours noted\n• `fuel` integer\n").fields).toEqual([
    "hours_noted | asked",
    "fuel | integer",
  ]);
  expect(read("- Look at 15 minutes. Record `pulse` and `pressure`.\n").fields).toEqual([
    "pulse | asked",
    "pressure | asked",
  ]);
});

test("labels on lines of their own inside one item are requirements of their own", () => {
  expect(asking("Duration: number\n  Cause: text of at least\n  20 characters").fields).toEqual([
    "duration | number",
    "cause | string | at least 20 long",
  ]);
  expect(asking("What happened,\n  in order: text").fields).toHaveLength(1);
});

test.each([
  "### Evidence (required)",
  "### Evidence — required",
  "### Evidence (please give us all of these)",
  "### What you hand in",
  "What you report:",
  "What I need from you",
  "Needed before the next phase",
])("%s above a list asks", (label) => {
  const { fields, echoed } = read(`Do it.\n\n${label}\n\n- thing one\n- other one\n`);
  expect(fields).toEqual(["thing_one | asked", "other_one | asked"]);
  expect(echoed).toHaveLength(2);
});

test("what the assistant itself approves is no approval of a person", () => {
  const { fields, approval } = asking("the assistant approves the plan");
  expect(approval).toBe(false);
  expect(fields).toEqual(["the_assistant_approves_the_plan | asked"]);
  expect(asking("the shop assistant approves the plan").approval).not.toBe(false);
});
