import { expect, test } from "vitest";
import { findingsIn, plantCase } from "../check/broken-bot.ts";

const head = `---
inputs:
  size: { type: string, default: s, one_of: [s, l] }
  count: { type: integer, default: 1 }
  names: { type: list }
outcomes: [done, no-go]
---

## Phase 1: Build it

\`\`\`yaml gate
evidence_schema:
  n: { type: integer, required: true }
\`\`\`

## Phase 2: Review

\`\`\`yaml gate
evidence_schema:
  findings: { type: integer, required: true, validator: { at_most: 9 } }
  verdict: { type: string, required: true, validator: { one_of: [yes-it-is, no-way] } }
  ok: { type: boolean, required: true }
  either: { type: boolean, required: true, validator: { one_of: [true, false] } }
  names: { type: list, required: true, validator: { length_at_most: 3 } }
  thing: { type: any, required: true }
  maybe: { type: integer, required: false }
`;

/** What `check` says about one more line in the review's gate. */
async function said(line: string): Promise<string> {
  const page = `${head}${line}\n\`\`\`\n`;
  const found = await findingsIn(plantCase({ files: { "workflows/w.md": page } }));
  return found.map(({ severity, line, message }) => `${severity} ${line} ${message}`).join("; ");
}

const end = (when: string): string => `then: [{ when: ${when}, end: no-go }]`;

test.each<[string, string]>([
  // what can never hold
  [end("findings > 9"), "a condition can never hold: findings > 9"],
  [end("[findings > 3, findings < 3]"), "a condition can never hold: findings > 3 and findings < 3"],
  [end("{ any: [findings > 0, 20 < findings] }"), "a condition can never hold: 20 < findings"],
  [end("ok == false"), "a condition can never hold: ok == false"],
  [end("length(names) > 3"), "a condition can never hold: length(names) > 3"],
  [end("rounds(review) < 0"), "a condition can never hold: rounds(review) < 0"],
  [end(`'verdict == "no"'`), 'a condition can never hold: "no" is not an allowed value'],
  [`when: 'inputs.size != "m"'`, 'a condition must always hold: "m" is not an allowed value'],
  ["then: [{ end: no-go }, { when: findings > 0, back_to: build_it, at_most: 2 }]", "a route can never be taken"],
  // types
  [end("thing == 3"), "thing has no type that a condition can compare"],
  [end("names == 3"), "names has no type that a condition can compare"],
  [end("length(findings) > 3"), "findings has no length"],
  [end(`'findings == "3"'`), "a condition compares a string with a number"],
  [end(`'verdict > "a"'`), "a condition compares a string with a number"],
  [end("inputs.names == 3"), "inputs.names is a list and cannot be compared"],
  // names
  [end("findngs > 0"), "findngs is not a field of that step's gate"],
  [end("nowhere.n > 0"), "nowhere.n names no step"],
  [end("inputs.nope == 3"), "inputs.nope is not declared"],
  [end("inputs.__proto__ == 3"), "inputs.__proto__ is not declared"],
  [end("rounds(nowhere) > 1"), "rounds(nowhere) names no step"],
  ["when: findings > 0", "when cannot read findings: it is judged before the step"],
  ["then: [{ when: findings > 0, end: stop }]", "end names the outcome stop, which the workflow does not declare"],
  ["then: [{ back_to: nowhere, at_most: 1 }]", "back_to names nowhere, but no step has that name"],
  // what is required
  [end("maybe > 0"), "then reads maybe, which is not required"],
  ["approval: { when: maybe > 0 }", "a condition reads maybe, which may be left out"],
  // not the grammar, and never code
  [end("process.exit(1) == 1"), "is neither a field nor a value"],
  [end("findings > 0 and ok == true"), "is not understood"],
  [end("1 < findings < 3"), "is not understood"],
  [end("ok"), "is not understood"],
  [end(`'verdict == "yes'`), "is neither a field nor a value"],
  ["when: 3 > 2", "a condition names no field"],
  ["when: true", "a condition must be a comparison"],
  ["when: { any: [] }", "a list of conditions is empty"],
  // routes
  ["then: [{ when: findings > 0, back_to: build_it }]", "needs at_most, a whole number from 1 to 100"],
  ["then: [{ when: findings > 0, back_to: build_it, at_most: 0 }]", "needs at_most, a whole number from 1 to 100"],
  ["then: [{ when: findings > 0, back_to: build_it, at_most: 101 }]", "needs at_most, a whole number from 1 to 100"],
  ["then: [{ when: findings > 0, end: no-go, at_most: 2 }]", "at_most belongs to a route that goes back"],
  ["then: [{ when: findings > 0, goto: build_it }]", 'the key "goto" of a route is unknown'],
  ["then: [{ when: findings > 0, end: no-go, continue: true }]", "a route needs one of back_to"],
  ["then: []", "then must be a list of routes"],
])("check names what is wrong with %s", async (line, message) => {
  expect(await said(line)).toContain(message);
});

test.each([
  end("findings > 8"),
  end("either == false"),
  end("length(names) == 3"),
  end("findings + build_it.n > inputs.count"),
  end(`'verdict == "yes-it-is"'`),
  end("{ any: [1.n > 3, { all: [phase_1.n > 1, rounds(build_it) > 1] }] }"),
  "then: [{ back_to: review, at_most: 1 }, { when: findings > 0, end: no-go }]",
  `when: 'inputs.size != "s"'`,
  "role: reviewer",
])("check finds nothing in %s", async (line) => {
  expect(await said(line)).toBe("");
});

test("a boolean that would have to be false is named with what lets it be", async () => {
  const fixOf = async (when: string): Promise<string | undefined> =>
    (await findingsIn(plantCase({ files: { "workflows/w.md": `${head}${end(when)}\n\`\`\`\n` } })))[0]?.fix;
  expect(await fixOf("ok == false")).toContain("write validator: { one_of: [true, false] }");
  expect(await fixOf("findings > 9")).toBe("Change the condition, or what the gate allows.");
});

test("quoted words may hold the signs of a comparison", async () => {
  const line = `  text: { type: string, required: true, validator: { one_of: ["a >= b + c", "it's"] } }\n`;
  expect(await said(`${line}then: [{ when: 'text == "a >= b + c"', end: no-go }]`)).toBe("");
  expect(await said(`${line}then: [{ when: 'text == "a >= b"', end: no-go }]`)).toContain("is not an allowed value");
});

test.each<[string, string]>([
  ["See {{inputs.nope}}.", "{{inputs.nope}} names nothing"],
  ["See {{inputs.size.length}}.", "{{inputs.size.length}} names nothing"],
  ["See {{biuld.n}}.", "{{biuld.n}} names nothing"],
  ["See {{build_it.m}}.", "{{build_it.m}} names nothing"],
])("check names the placeholder in %s, with its line", async (text, message) => {
  const page = `${head}\`\`\`\n`.replace("## Phase 2: Review\n", `## Phase 2: Review\n\n${text}\n`);
  const found = await findingsIn(plantCase({ files: { "workflows/w.md": page } }));
  expect(found.map(({ code, line, message }) => [code, line, message])).toEqual([
    ["unknown-placeholder", 18, expect.stringContaining(message)],
  ]);
});
