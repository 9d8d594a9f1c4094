import { expect, test } from "vitest";
import { askedIn } from "../demands/asked.testing.ts";

const boxes = "- [ ] `alpha_count`: integer, at least 5\n- [ ] Beta done\n";
const wanted = ["alpha_count integer, at least 5", "beta_done boolean"];

test.each([
  ..."DoD|✅ Definition of Done (DoD)|Evidence to be provided|Ready to move on?|Ready for the next phase?".split("|"),
  ..."Go/No-Go|Go / No-Go Checklist|Phase Completion|Completion Criteria|Pass criteria|Transition criteria".split("|"),
  ..."Proof of Completion|Deliverables|Quality Checks|🚦 Quality Gate|Requirements to Proceed|Sign Off".split("|"),
  ..."Before moving on|Before you proceed|Success criteria|Stage gate|Gate check|Closing checklist".split("|"),
  ..."3. Exit criteria|1.4 Exit criteria|Step 5: Validation|Exit criteria:|Phase 1 is done when".split("|"),
  ..."What you must provide|Mandatory Outputs|Self-check|Hand-off criteria|To complete this phase".split("|"),
])("%s is a gate, as a heading and in bold", (words) => {
  expect(askedIn(`# Phase 1: X\n\nWork.\n\n## ${words}\n\n${boxes}`)).toEqual(wanted);
  if (!words.startsWith("1.4")) expect(askedIn(`# Phase 1: X\n\nWork.\n\n**${words}**\n\n${boxes}`)).toEqual(wanted);
});

test.each(["Tasks", "Notes", "Background", "Entry Criteria", "Prerequisites", "Definition of Ready"])(
  "%s is none",
  (words) => {
    expect(askedIn(`# Phase 1: X\n\n## ${words}\n\n${boxes}`)).toEqual([]);
  },
);

test.each([
  "### Optional",
  "### Optional Evidence",
  "### Evidence (optional)",
  "### Evidence (if applicable)",
  "**Nice to have**",
  "**Recommended:**",
  "Optional:",
  "If applicable:",
  "The following are optional:",
])("what stands under %s is optional, and not left out", (words) => {
  const text = `## Evidence Required\n\n- \`alpha\`: integer\n\n${words}\n\n- \`beta\`: integer\n`;
  expect(askedIn(text)).toEqual(["alpha integer", "beta integer, optional"]);
});

test("a phase that is optional by its name has a gate that is not", () => {
  expect(askedIn("# Phase 3: Optional cleanup\n\n## Exit Criteria\n\n- [ ] Clean\n")).toEqual(["clean boolean"]);
});

test.each([
  ["- [ ] `b_count`: integer (if applicable)", "b_count integer, optional"],
  ["- [ ] Screenshots attached (if applicable)", "screenshots_attached boolean, optional"],
  ["- [ ] Recommended: a screenshot", "a_screenshot boolean, optional"],
  ["- [ ] Nice to have: `b_list` list", "b_list list, optional"],
  ["Optional:\n- [ ] `b_list`: list", "b_list list, optional"],
  ["- [ ] The recommended size is kept", "the_recommended_size_is_kept boolean"],
])("a box may leave itself open: %s", (box, asked) => {
  expect(askedIn(`## Exit Criteria\n\n- [ ] \`a_count\`: integer\n${box}\n`)).toEqual(["a_count integer", asked]);
});
