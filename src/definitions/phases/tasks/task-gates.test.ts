import { expect, test } from "vitest";
import { writeDefinitions } from "../../bots/write-definitions.testing.ts";
import { filesOf } from "../../snapshot/files-of.testing.ts";
import { asked } from "../demands/asked.testing.ts";
import { readPhaseFolder } from "../phase-folder.ts";

/** The requirements of a phase with these files, and its complaints. */
function read(files: Record<string, string>): { readonly fields: readonly string[]; readonly said: readonly string[] } {
  const definitions = writeDefinitions(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`w/phases/1/${name}`, text])),
  );
  const place = { path: `${definitions}/w/phases/1`, file: "1", source: "1" };
  const { phase, complaints } = readPhaseFolder(filesOf(definitions), 1, place, "");
  return {
    fields: asked(phase.gate),
    said: complaints.map(({ code, path, line }) => `${code} ${path.split("/").at(-1)}:${line}`),
  };
}

const tasks = {
  "task-1-a.md": "# Task 1: A\n\n- [ ] a step\n\nMust provide `rows_out`: number of rows, greater than 0\n",
  "task-2-b.md": "# Task 2: B\n\n## Evidence Required\n\n- [ ] `roles_seen`: count of roles, at least 1\n",
};

test("what the files of tasks ask for is asked of their phase, on top of its gate or without one", () => {
  const asked = ["rows_out integer, more than 0", "roles_seen integer, at least 1"];
  const gate = "# Phase 1: X\n\n## Validation Gate\n\n- [ ] All done\n";
  expect(read({ "phase.md": gate, ...tasks })).toEqual({ fields: ["all_done boolean", ...asked], said: [] });
  expect(read({ "phase.md": "# Phase 1: X\n\nSee the tasks.\n", ...tasks })).toEqual({ fields: asked, said: [] });
});

test("beside a gate file or an evidence table it does not count, and that is said", () => {
  const said = ["gate-sources-differ task-1-a.md:5", "gate-sources-differ task-2-b.md:5"];
  const yaml = "evidence_schema:\n  n: { type: integer }\n";
  expect(read({ "phase.md": "# X\n", "gate-definition.yaml": yaml, ...tasks })).toEqual({
    fields: ["n integer"],
    said,
  });
  const table = "# X\n\n| Evidence | Type |\n|---|---|\n| `n` | integer |\n";
  expect(read({ "phase.md": table, ...tasks })).toEqual({ fields: ["n integer"], said });
});

test("a phase without requirements is reported with the checkboxes that are not read", () => {
  const { said } = read({ "phase.md": "# Phase 1: X\n\nWork.\n\n## Odds and ends\n\n- [ ] one\n- [ ] two\n" });
  expect(said).toEqual(["phase-without-requirement phase.md:7"]);
});
