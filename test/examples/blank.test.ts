import { expect, test } from "vitest";
import { openWindow } from "../window.ts";
import { projectFrom } from "./walk.ts";

const decision = {
  question: "Where does the team meet on Mondays?",
  options: ["in the office", "online"],
  decision: "online",
  reason: "four of six live more than an hour away",
  decided_by: "all six",
};
const page = `# We meet online on Mondays

## Question

Where does the team meet on Mondays?

## Options

- In the office: everybody in one room, but four of six travel for an hour
- Online: nobody travels

## Decision

Online, decided by all six, because four of six live more than an hour away.
`;

test("the blank bot is walked to its end as it stands, and nothing is warned of", async () => {
  const window = await openWindow(projectFrom("blank"));
  const submitted: Record<string, unknown>[] = [
    { outputs: { question: decision.question }, confirmation: "yes" },
    { outputs: { how: "All agree" }, confirmation: "yes" },
    { content: [{ path: "docs/decision.json", text: `${JSON.stringify(decision, null, 2)}\n` }] },
    { content: [{ path: "docs/decision.md", text: page }], confirmation: "yes" },
    { confirmation: "yes" },
  ];
  for (const [index, step] of submitted.entries()) {
    const opened = await window.call("decision_bot");
    expect(opened).toMatchObject({ status: "started", warnings: [] });
    expect(opened.instructions).not.toMatch(/\{\{|TODO|TBD/);
    const status = index === 4 ? "workflow_complete" : "completed";
    expect(await window.call("complete_action", step)).toMatchObject({ status, warnings: [] });
  }
});

test("the blank bot refuses a page that lacks a part, with its rule and file", async () => {
  const window = await openWindow(projectFrom("blank"));
  for (let index = 0; index < 3; index++) await window.pass("team_bot", { outputs: { answer: "by Friday" } });
  const content = [{ path: "docs/decision.md", text: page.replace("## Options", "Options") }];
  await window.pass("team_bot", { content });
  await window.call("team_bot");
  const refused = await window.call("complete_action", { confirmation: "yes" });
  expect(refused).toMatchObject({ status: "refused", error: "check_failed" });
  expect(refused.message).toContain("page_has_its_parts in docs/decision.md");
});
