import { expect, test } from "vitest";
import { verifyProof } from "../../src/people/verify-proof.ts";
import { visit } from "../browser.ts";
import { runCli } from "../command-line.ts";
import { enrolOn, provenProject, serves, signedIn, trustAll } from "../page.ts";
import { newer, openWindow } from "../window.ts";

const submission = {
  outputs: { users: "clerks and their customers" },
  content: [{ path: "notes.md", text: "# Notes\n\nTea first.\nThen cake.\n" }],
};

test("a person enrols a passkey, sees what waits whole, approves it with the passkey, and anybody can check it offline", async () => {
  const project = provenProject();
  project.write("notes.md", "# Notes\n\nCoffee first.\nThen cake.\n");
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  expect(await window.call("complete_action", submission)).toMatchObject({ status: "awaiting_human" });
  await visit(async ({ page, authenticator }) => {
    const device = await authenticator();
    const enrolling = serves(["approve", "--enroll", "dana", "--passkey", "--root", project.root]);
    await page.goto(await enrolling.url);
    await page.getByRole("button", { name: "Create passkey" }).click();
    await page.getByRole("heading", { name: "Enrolled" }).waitFor();
    expect(await enrolling.ended).toContain("dana is enrolled");
    expect(await device.uses()).toHaveLength(1);

    // Enrolling is not trust: the page says so, and nobody can answer there.
    const early = serves(["approve", "--web", "--root", project.root]);
    await page.goto(await early.url);
    await page.getByText("is not trusted on this machine").waitFor();
    expect(await page.getByRole("button", { name: "Approve with passkey" }).isDisabled()).toBe(true);
    const [dana] = await trustAll(project);
    expect(dana).toMatchObject({ name: "dana", kind: "passkey", rpId: "localhost" });
    await page.reload();

    await page.getByText("clerks and their customers").waitFor();
    await page.getByText("changed: 1 line added, 1 removed").waitFor();
    await page.getByText("Coffee first.").waitFor();
    await page.getByLabel("Comment").fill("Tea it is.");
    await page.getByRole("button", { name: "Approve with passkey" }).click();
    await page.getByRole("heading", { name: "Approved" }).waitFor();
    await page.getByRole("heading", { level: 1, name: "completed" }).waitFor();
    expect(await early.ended).toMatch(/Approved by dana.*gather_context is completed/s);
  });
  expect(await window.call("complete_action", submission)).toMatchObject({
    status: "completed",
    action: "gather_context",
  });
  expect(project.read("notes.md")).toContain("Tea first.");
  // What is on record proves it with the public key alone.
  const [dana] = await trustAll(project);
  const [approved] = (await signedIn(project)).filter(({ statement }) => statement.decision === "approve");
  if (dana === undefined || approved === undefined) throw new Error("Nothing is on record.");
  expect(approved.statement).toMatchObject({ step: "gather_context", comment: "Tea it is." });
  expect(verifyProof(approved, dana)).toBe(true);
  expect(verifyProof({ ...approved, statement: { ...approved.statement, attempt: 2 } }, dana)).not.toBe(true);
  expect((await runCli(["verify", "--root", project.root])).code).toBe(0);
});

test("a no on the page needs a reason, and the reason is what the assistant reads", async () => {
  const project = provenProject();
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  await window.call("complete_action", submission);
  await visit(async ({ page, authenticator }) => {
    await authenticator();
    const enrolling = serves(["approve", "--enroll", "dana", "--passkey", "--root", project.root]);
    await page.goto(await enrolling.url);
    await page.getByRole("button", { name: "Create passkey" }).click();
    await enrolling.ended;
    await trustAll(project);
    const judging = serves(["approve", "--web", "--json", "--root", project.root]);
    await page.goto(await judging.url);
    await page.getByRole("button", { name: "Reject with passkey" }).click();
    await page.getByText("Add a reason").waitFor();
    // By keyboard alone: a note on a line, and a comment.
    const press = async (name: string, key: string): Promise<void> => {
      await page.getByRole("button", { name }).focus();
      await page.keyboard.press(key);
    };
    await press("Lines", "Enter");
    await press("Add a note to line 4", "Enter");
    await page.keyboard.type("Which cake?");
    await page.keyboard.press("Control+Enter");
    await page.getByText("1 note on lines will be sent with your answer").waitFor();
    await page.getByLabel("Comment").focus();
    await page.keyboard.type("No word on cake.");
    await press("Reject with passkey", "Enter");
    await page.getByRole("heading", { name: "Rejected", exact: true }).waitFor();
    // What was judged stays on the page, with a receipt and a prompt for the assistant.
    await page.getByText(/^dana with a passkey, .*: record \d+/).waitFor();
    await page.getByText("I have answered. Go on with shape of story_bot in Waymark.").waitFor();
    await page.getByText("Which cake?").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(await judging.ended).toContain('"decision": "reject"');
  });
  const answer = await window.call("complete_action", submission);
  expect(JSON.stringify(answer)).toContain("No word on cake.; notes.md:4: Which cake?");
  expect(project.state().action_state).toBe("started");
});

test.each(newer)(
  "a client that can open a page is given it, and the call goes on once the person has answered there (%s)",
  async (era) => {
    const project = provenProject();
    await visit(async ({ page, authenticator }) => {
      await authenticator();
      await enrolOn(page, project, "dana");
      let answering: Promise<void> | undefined;
      const browses = (url: string): void => {
        answering = (async () => {
          await page.goto(url);
          await page.getByRole("button", { name: "Approve with passkey" }).click();
          await page.getByRole("heading", { name: "Approved" }).waitFor();
        })();
      };
      const window = await openWindow(project.root, { era, browses });
      await window.call("shape_bot");
      const answer = await window.call("complete_action", { ...submission, confirmation: "they say yes" });
      expect(answer, answer.text).toMatchObject({ status: "completed", action: "gather_context" });
      await answering;
    });
  },
);
