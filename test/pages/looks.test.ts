import { expect, test } from "vitest";
import { lookedAt, stumblings } from "../axe.ts";
import { visit } from "../browser.ts";
import { enrolOn, judgingPage } from "../page.ts";
import { provingGate, provingProject, trustAll } from "../proving.ts";
import { wholeOr } from "../whole.ts";
import { openWindow } from "../window.ts";

test("the page can be read and used by everybody, light and dark, on a phone: claims beside what was found, differences, the answer", async () => {
  const project = provingProject({ passed: 12 }, `approval: required\n${provingGate}    reads: [run-tests.cjs]\n`);
  await trustAll(project);
  project.write("docs/plan.md", Array.from({ length: 40 }, (_, at) => `Line ${at}\n`).join(""));
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  const plan = project.read("docs/plan.md").replace("Line 20\n", "Line twenty\nand a half\n");
  const answer = await window.call("complete_action", {
    outputs: { users: "clerks and customers of the tea shop" },
    evidence: { summary: "The plan says who drinks what, and why.", tests_passed: 12 },
    content: [
      { path: "docs/plan.md", text: plan },
      { path: "docs/notes.md", text: "# Notes\n\nTea first.\n" },
    ],
  });
  expect(answer, answer.text).toMatchObject({ status: "awaiting_human" });
  await visit(async ({ page, authenticator }) => {
    await authenticator();
    expect((await enrolOn(page, project, "dana")).name).toBe("dana");
    expect(await stumblings(page)).toEqual([]);
    const { url } = await judgingPage(project);
    await page.goto(url);
    await page.getByText("1 claimed and verified").waitFor();
    await page.getByText("1 claimed.").waitFor();
    await page.getByText("changed: 2 lines added, 1 removed").waitFor();
    await page.getByText("17 unchanged lines").first().click();
    await page.getByText("Line 3", { exact: true }).waitFor();
    for (const { colorScheme, width } of lookedAt.slice(0, wholeOr(4, 2))) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      expect(await stumblings(page)).toEqual([]);
      if (process.env.WAYMARK_PICTURES !== undefined)
        await page.screenshot({
          path: `${process.env.WAYMARK_PICTURES}/judging-${colorScheme}-${width}.png`,
          fullPage: true,
        });
    }
    // By keyboard alone: a yes is one that was reached and pressed.
    await page.getByLabel("Comment").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Approved" }).waitFor();
    expect(await stumblings(page)).toEqual([]);
  });
});
