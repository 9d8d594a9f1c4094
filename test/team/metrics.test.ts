import { expect, it } from "vitest";
import { freshProject, postgresUrl } from "../postgres.ts";
import { makeProject } from "../project.ts";
import { eras } from "../window.ts";
import { startServer } from "./server.ts";

it.each(eras)("the metrics count calls by tool and outcome, and refusals by code (%s)", async (era) => {
  const project = makeProject();
  const server = await startServer(project.root, { store: await postgresUrl(), project: freshProject() });
  const window = await server.open({ era });
  await window.call("story_bot");
  await window.call("complete_action", { outputs: { a: 1 } });
  await window.call("complete_action", { outputs: { a: 1 }, confirmation: "yes" });
  await window.call("complete_action", { run: ["not a name"] });
  await window.call("xyzzy_unknown").catch(() => undefined);
  const page = await (await fetch(server.url.replace("/mcp", "/metrics"))).text();
  const lines = page.split("\n").filter((line) => line.startsWith("waymark_tool_") && !line.includes("_seconds"));
  expect(lines).toEqual(
    expect.arrayContaining([
      'waymark_tool_calls_total{tool="story_bot",outcome="ok"} 1',
      'waymark_tool_calls_total{tool="complete_action",outcome="awaiting_human"} 1',
      'waymark_tool_calls_total{tool="complete_action",outcome="ok"} 1',
      'waymark_tool_calls_total{tool="complete_action",outcome="refused"} 1',
      'waymark_tool_refusals_total{code="invalid_input"} 2',
      'waymark_tool_calls_total{tool="other",outcome="refused"} 1',
    ]),
  );
  expect(page).toContain('waymark_tool_seconds_count{tool="complete_action"} 3');
  expect(page).toMatch(/^waymark_store_statements \d+$/m);
  expect(page).toMatch(/^waymark_store_connections 10$/m);
  expect(page).toMatch(/^waymark_checks_wanted 0$/m);
  expect(page).not.toContain("xyzzy");
});
