import { expect, test } from "vitest";
import { startBoard } from "../board.ts";
import { visit } from "../browser.ts";
import { enrolOn } from "../page.ts";
import { givePasskey } from "../passkey.ts";
import { makeProject, type Project } from "../project.ts";
import { gateFile } from "../proving.ts";
import { makeToken, startServer } from "../team/server.ts";
import { older, openWindow, type Window } from "../window.ts";

const fields = `evidence_schema:
  reproduced: {type: boolean, required: true, description: the bug was seen}
  summary: {type: string, required: true, description: what was done}
`;

function bugfix(approval = ""): Project {
  const project = makeProject();
  project.write(gateFile, fields + approval);
  return project;
}

const reason = "There is no <b>printer</b> here.";

async function reportsBlocked(window: Window): Promise<void> {
  await window.call("shape_bot");
  expect(await window.call("complete_action", { blocked: reason })).toMatchObject({ status: "awaiting_human" });
}

test("on the local dashboard a person answers a blocked step and waives a field, each with their passkey", async () => {
  const project = bugfix("approval: {level: proven, by: [dana]}\n");
  const window = await openWindow(project.root);
  await visit(async ({ page, authenticator }) => {
    await authenticator();
    await enrolOn(page, project, "dana");
    await reportsBlocked(window);
    const board = await startBoard(project.root);
    await page.goto(`${board.url}/inbox`);
    await page.getByText(reason).first().waitFor();
    await page.getByText('waymark answer story_bot.shape "TEXT"').waitFor();
    await page.getByRole("button", { name: "Answer", exact: true }).click();
    await page.getByText("Write a text first").waitFor();
    await page.getByLabel("Your answer, or the reason for waiving").fill("Use the virtual printer.");
    await page.getByRole("button", { name: "Answer", exact: true }).click();
    await page.getByRole("heading", { name: "Recorded" }).or(page.getByText("Already answered.")).first().waitFor();
    expect((await window.call("shape_bot")).message).toMatch(/^Dana answered about .* "Use the virtual printer\."/);

    await window.call("complete_action", { blocked: "No virtual printer either." });
    await page.goto(`${board.url}/runs`);
    await page.getByText("gather_context: blocked").first().waitFor();
    await page.goto(`${board.url}/inbox`);
    await page.getByText("No virtual printer either.").first().waitFor();
    await page.getByLabel("Your answer, or the reason for waiving").fill("The vendor saw it.");
    await page.getByLabel("reproduced").check();
    await page.getByRole("button", { name: "Waive selected" }).click();
    await page.getByRole("heading", { name: "Recorded" }).or(page.getByText("Already answered.")).first().waitFor();
    expect((await window.call("shape_bot")).message).toContain("Dana waived reproduced: The vendor saw it.");
    expect(await window.call("complete_action", { evidence: { summary: "fixed" } })).toMatchObject({
      status: "awaiting_human",
    });
    await page.getByRole("heading", { name: "Waived" }).waitFor();
  });
});

// Attack (shell): Answer its own report that a step is blocked, or waive what a gate asks for: with its shell, over the local dashboard, or by a forged record
test("the local dashboard takes no answer and no waiver without a passkey: an assistant could have started it", async () => {
  const project = bugfix();
  await givePasskey(project.root, "dana", "localhost");
  const window = await openWindow(project.root);
  await reportsBlocked(window);
  const board = await startBoard(project.root);
  const at = { workflow: "shape", step: "gather_context", text: "go on" };
  for (const more of [{}, { fields: ["reproduced"] }])
    expect(await board.ask("/api/runs/bot%3Astory_bot/respond", { body: { ...at, ...more } })).toMatchObject({
      status: 403,
    });
  expect((await window.call("shape_bot")).message).toContain("No person has answered yet.");
});

test.each(older)(
  "on a team's server an approver's token answers and waives; an agent's and a viewer's do not, nor where a key is needed (%s)",
  async (era) => {
    const project = bugfix();
    const { root } = project;
    const [agent, dana, vera] = [
      await makeToken(root, "claude", "agent"),
      await makeToken(root, "dana", "approver"),
      await makeToken(root, "vera", "viewer"),
    ];
    const server = await startServer(root);
    const window = await server.open({ token: agent, era });
    await reportsBlocked(window);
    const own = `http://localhost:${new URL(server.url).port}`;
    const respond = async (token: string, more: object): Promise<number> => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", origin: own };
      const body = JSON.stringify({ workflow: "shape", step: "gather_context", text: "go on", ...more });
      const asking = { method: "POST", headers: { ...headers, "sec-fetch-site": "same-origin" }, body };
      return (await fetch(`${own}/api/runs/bot%3Astory_bot/respond`, asking)).status;
    };
    for (const token of [agent, vera]) expect(await respond(token, {})).toBe(403);
    expect(await respond(dana, { fields: ["reproduced"] })).toBe(200);
    const told = await window.call("shape_bot", { resume: "continue" });
    expect(told.message).toContain("Dana waived reproduced: go on");
    await window.call("complete_action", { blocked: "Still none." });
    expect(await respond(dana, {})).toBe(200);
    expect((await window.call("shape_bot", { resume: "continue" })).message).toContain("Dana answered");
    project.write(gateFile, `${fields}approval: {level: proven, by: [dana]}\n`);
    expect(await respond(dana, { fields: ["summary"] })).toBe(403);
  },
);
