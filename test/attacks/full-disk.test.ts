import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { overHttp } from "../doors.ts";
import { kinds, placeOf } from "../hands.ts";
import { makeProject } from "../project.ts";
import { openWindow } from "../window.ts";

const plan = { path: "docs/plan.md", text: "# Plan\n" };

test.skipIf(overHttp("the server's disk is not the assistant's")).each(kinds)(
  "content that cannot be stored is refused, and nothing is completed (%s)",
  async (kind) => {
    const place = placeOf(kind);
    const { handIn: submit } = await place.open({ era: "2025" });
    const held = place.project.path(".waymark/held");
    rmSync(held, { recursive: true, force: true });
    mkdirSync(place.project.path(".waymark"), { recursive: true });
    writeFileSync(held, "no folder can be made here");
    const refused = await submit({ content: [plan], confirmation: "yes" });
    expect(refused.verdict).toBe("unavailable");
    expect(refused.kept).toEqual({ outputs: [], content: [] });
    rmSync(held);
    expect((await submit({ content: [plan], confirmation: "yes" })).verdict).toBe("completed");
  },
);

test.skipIf(overHttp("a person verifies files"))("verify names a recorded file that is missing", async () => {
  const project = makeProject();
  const window = await openWindow(project.root);
  await window.pass("shape_bot", { content: [plan] });
  expect(existsSync(project.path(plan.path))).toBe(true);
  const notes = async (): Promise<string> => {
    const { stdout, code } = await runCli(["verify", "--json", "--root", project.root]);
    expect(code).toBe(0);
    return String(JSON.parse(stdout).desks[0].notes);
  };
  expect(await notes()).not.toContain(plan.path);
  rmSync(project.path(plan.path));
  expect(await notes()).toContain("1 recorded file missing: docs/plan.md");
});
