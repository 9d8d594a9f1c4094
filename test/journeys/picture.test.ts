import { readFileSync } from "node:fs";
import sax from "sax";
import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { callPhase, evidenceFor, plantWorkflow, sentinel } from "../phased.ts";
import { makeProject } from "../project.ts";
import { openWindow } from "../window.ts";

/** Reads a picture as strictly as a browser does: its elements, attributes and texts. */
function read(svg: string) {
  const parser = sax.parser(true);
  const tags: string[] = [];
  const attributes: string[] = [];
  const texts: string[] = [];
  parser.onopentag = ({ name, attributes: own }) => {
    tags.push(name);
    for (const [key, value] of Object.entries(own)) attributes.push(`${key}=${String(value)}`);
  };
  parser.ontext = (text) => texts.push(text);
  parser.onerror = (error) => {
    throw error;
  };
  parser.write(svg).close();
  return { tags: new Set(tags), attributes, texts };
}

const allowed = ["svg", "style", "defs", "pattern", "rect", "text", "path", "circle", "line"];

// Attack (tools): Submit HTML, scripts, escape codes, direction marks or endless lines for the approval page or the dashboard to show
test("a run is drawn as one file by itself: map and timeline, of phases to come only the number, hostile names as text", async () => {
  const project = plantWorkflow({ phases: 4 });
  const window = await openWindow(project.root);
  const hostile = `src/</text><script>alert(1)</script>&"'\u202e\u001b${"x".repeat(700)}.ts`;
  const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "survey", target_file: hostile });
  await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: {} });
  await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: evidenceFor(1) });
  const said = await runCli(["export", "--svg", session_id, "--root", project.root, "--out", project.path("out")]);
  expect([said.code, said.stderr]).toEqual([0, ""]);
  const [, file = ""] = /^Wrote (.*)\.$/.exec(said.stdout.trim()) ?? [];
  const svg = readFileSync(file, "utf8");
  const { tags, attributes, texts } = read(svg);
  expect([...tags].filter((tag) => !allowed.includes(tag))).toEqual([]);
  expect(attributes.filter((one) => /^on|href|src=|style=/i.test(one))).toEqual([]);
  expect(svg.replace("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|@import|url\((?!#)|[\p{Cf}]/u);
  expect(svg).toContain("prefers-color-scheme:dark");
  const words = texts.join("\n");
  expect(words).toContain(`1 ${sentinel(1)} title`);
  expect(words).toContain(`2 ${sentinel(2)} title`); // its turn has come
  for (const later of [3, 4]) expect(svg.toLowerCase()).not.toContain(sentinel(later).toLowerCase());
  expect(words).toContain("Phase 4");
  expect(svg.length).toBeLessThan(20_000);
  expect(svg).toContain('class="refused"');
});

test("a bot is drawn whole or by one of its behaviors; what has not begun is not drawn, and says so", async () => {
  const project = makeProject();
  const draw = (...args: string[]) => runCli(["export", "--svg", ...args, "--root", project.root, "--json"]);
  expect((await draw()).stderr).toContain("Nothing is recorded yet");
  const window = await openWindow(project.root);
  await window.pass("shape_bot");
  const whole = JSON.parse((await draw()).stdout);
  expect(whole.run).toBe("story_bot");
  expect(read(whole.svg).texts).toContain("exploration");
  const shape = JSON.parse((await draw("story_bot.shape")).stdout);
  expect(read(shape.svg).texts).not.toContain("exploration");
  expect(read(shape.svg).texts).toContain("story_bot.shape");
  for (const wrong of ["story_bot.nothing", "nobody", "../x"])
    expect((await draw(wrong)).stderr).toContain(`There is no run ${wrong} here`);
});
