import { expect, test } from "vitest";
import { visit } from "../browser.ts";
import { enrolOn, provenProject } from "../page.ts";
import { projectAt } from "../project.ts";
import { makeToken, startServer } from "../team/server.ts";
import { older } from "../window.ts";

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
    await page.getByText("This token cannot view the dashboard").waitFor();
    await page.goto(`${own}/?project=tea#${vera}/inbox`);
    await page.getByText("View only: your token cannot approve.").waitFor();
    expect(await page.getByRole("button", { name: /with passkey/ }).count()).toBe(0);
    await page.keyboard.press("a"); // there is nothing that it could do
    await page.getByLabel("Project").selectOption("bread");
    await page.getByRole("heading", { name: "No runs yet" }).waitFor();
    expect(page.url()).toBe(`${own}/?project=bread`);
    await page.goBack();
    await page.getByText("View only: your token cannot approve.").waitFor();
  });
});

test.each(older)(
  "a client that can open a page is led to the team's inbox, without a token in the address; the call goes on once an approver has answered (%s)",
  async (era) => {
    const project = provenProject();
    const { root } = project;
    await visit(async ({ page, authenticator }) => {
      await authenticator();
      await enrolOn(page, project, "dana");
      const [agent, dana] = [await makeToken(root, "claude", "agent"), await makeToken(root, "dana", "approver")];
      const server = await startServer(root);
      const own = `http://localhost:${new URL(server.url).port}`;
      await page.goto(`${own}/#${dana}`);
      await page.getByText("live", { exact: true }).waitFor();
      const sent: string[] = [];
      let answering: Promise<void> | undefined;
      const browses = (url: string): void => {
        sent.push(url);
        answering = (async () => {
          await page.goto(url);
          await page.getByRole("button", { name: "Approve with passkey" }).click();
        })();
      };
      const window = await server.open({ era, browses, token: agent });
      await window.call("shape_bot");
      const answer = await window.call("complete_action", {
        outputs: { users: "clerks" },
        confirmation: "they say yes",
      });
      expect(answer, answer.text).toMatchObject({ status: "completed", action: "gather_context" });
      await answering;
      expect(sent).toEqual([`${own}/?project=default#/inbox/bot%3Astory_bot/shape/gather_context`]);
    });
  },
);

test("whoever was led to a page in vain is not led there again for the same hand-in", async () => {
  const project = provenProject();
  const { root } = project;
  await visit(async ({ page, authenticator }) => {
    await authenticator();
    await enrolOn(page, project, "dana");
  });
  const token = await makeToken(root, "claude", "agent");
  const server = await startServer(root);
  const sent: string[] = [];
  const submission = { outputs: { users: "clerks" } };
  const browses = (url: string): "stays" => {
    sent.push(url);
    return "stays";
  };
  const window = await server.open({ era: "2026", browses, token });
  await window.call("shape_bot");
  for (let count = 0; count < 2; count++)
    expect(await window.call("complete_action", submission)).toMatchObject({ status: "awaiting_human" });
  expect(sent).toHaveLength(1);
  await window.call("complete_action", { outputs: { users: "guests" } });
  expect(sent).toHaveLength(2);
});
