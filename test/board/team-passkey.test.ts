import { expect, test } from "vitest";
import { visit } from "../browser.ts";
import { provenProject, trustAll } from "../page.ts";
import { makeToken, startServer } from "../team/server.ts";

test("an approver makes a passkey on the team's own page, and approves with it there once it is trusted; nobody else makes one", async () => {
  const project = provenProject();
  const { root } = project;
  const [agent, dana, vera] = [
    await makeToken(root, "claude", "agent"),
    await makeToken(root, "dana", "approver"),
    await makeToken(root, "vera", "viewer"),
  ];
  const server = await startServer(root);
  const window = await server.open({ token: agent });
  await window.call("shape_bot");
  await window.call("complete_action", { outputs: { users: "clerks" } });
  const own = `http://localhost:${new URL(server.url).port}`;
  for (const token of [vera, agent])
    for (const act of ["options", "enrol"]) {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", origin: own };
      const asking = { method: "POST", headers: { ...headers, "sec-fetch-site": "same-origin" }, body: "{}" };
      expect((await fetch(`${own}/api/${act}`, asking)).status).toBe(403);
    }
  await visit(async ({ page, authenticator }) => {
    await authenticator();
    await page.goto(`${own}/#${dana}`);
    await page.getByRole("link", { name: "Inbox" }).first().click();
    await page.getByRole("link", { name: "Create one for this server" }).click();
    await page.getByRole("button", { name: "Create passkey" }).click();
    await page.getByRole("heading", { name: "Enrolled" }).waitFor();
    const [approver] = await trustAll({ root });
    expect(approver).toMatchObject({ name: "dana", kind: "passkey", rpId: "localhost" });
    await page.goto(`${own}/#/inbox`);
    await page.getByRole("button", { name: "Approve with passkey" }).click();
    const taken = page.getByRole("heading", { name: "Approved" });
    await taken.or(page.getByText("Nothing is waiting for you")).first().waitFor();
  });
  const next = await window.call("complete_action", { outputs: { users: "clerks" } });
  expect(next, next.text).toMatchObject({ status: "completed" });
});
