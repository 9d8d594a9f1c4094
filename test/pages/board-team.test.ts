import { expect, test } from "vitest";
import { visit } from "../browser.ts";
import { provenProject } from "../page.ts";
import { projectAt } from "../project.ts";
import { makeToken, startServer } from "../team/server.ts";

test("on a team's server a viewer sees all projects, one at a time, and cannot answer; an agent's token is shown the door", async () => {
  const { root, ...tea } = provenProject();
  const bread = projectAt(`${root}/bread`);
  bread.write(".waymark/bots/story_bot/bot_config.json", tea.json(".waymark/bots/story_bot/bot_config.json"));
  tea.write("projects.json", {
    tea: { definitions: `${root}/.waymark` },
    bread: { definitions: `${root}/bread/.waymark` },
  });
  const [agent, vera] = [await makeToken(root, "claude", "agent"), await makeToken(root, "vera", "viewer")];
  const server = await startServer(root, { projects: `${root}/projects.json` });
  const window = await server.open({ token: agent, project: "tea" });
  await window.call("shape_bot");
  expect(await window.call("complete_action", { outputs: { users: "clerks" } })).toMatchObject({
    status: "awaiting_human",
  });
  const own = `http://localhost:${new URL(server.url).port}`;
  await visit(async ({ page }) => {
    await page.goto(`${own}/#${agent}`);
    await page.getByText("This token is not for people who look").waitFor();
    await page.goto(`${own}/?project=tea#${vera}/inbox`);
    await page.getByText("Your token only views.").waitFor();
    expect(await page.getByRole("button", { name: /with passkey/ }).count()).toBe(0);
    await page.keyboard.press("a"); // there is nothing that it could do
    await page.getByLabel("Project").selectOption("bread");
    await page.getByRole("heading", { name: "Nothing has been begun yet" }).waitFor();
    expect(page.url()).toBe(`${own}/?project=bread`);
    await page.goBack();
    await page.getByText("Your token only views.").waitFor();
  });
});
