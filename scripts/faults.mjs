import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { home, install, requireNode, run } from "./set-up.mjs";

/** The parts, the quick ones first: each with its file, and the beginning of its test's title where the file has several. */
const parts = {
  model: { file: "model.property.test.ts" },
  power: { file: "power.test.ts", figures: ["power cuts"] },
  kills: { file: "kills.test.ts", figures: ["kills"] },
  routes: { file: "routes.test.ts", figures: ["a walk with routes"] },
  session: { file: "sessions.test.ts", figures: ["a phased session"] },
  store: { file: "faults.test.ts", title: "every call, one", figures: ["every call, one after the other"] },
  served: { file: "served.test.ts", figures: ["through a served window"] },
  paced: { file: "faults.test.ts", title: "every call, at", figures: ["every call, at the pace of real work"] },
};

const usage = `npm run faults -- [PART…] [--calls open,write…]

Every fault, every kill and every power cut, with a closing table; npm test takes samples of the same.
Parts: ${Object.keys(parts).join(", ")}. Without one: all of them, one after the other.
--calls: only faults of these system calls.`;

const given = process.argv.slice(2);
const at = given.indexOf("--calls");
const calls = at < 0 ? undefined : given[at + 1];
const named = given.filter((_, index) => at < 0 || (index !== at && index !== at + 1));
if (named.includes("--help")) {
  console.log(usage);
  process.exit(0);
}
if (named.some((name) => !(name in parts)) || (at >= 0 && calls === undefined)) {
  console.error(usage);
  process.exit(1);
}

requireNode();
install();
run(process.execPath, [join(home, "scripts/build.mjs"), "--quick"]);
const folder = mkdtempSync(join(tmpdir(), "waymark-faults-"));
const rows = (named.length === 0 ? Object.keys(parts) : named).map(goThrough);
rmSync(folder, { recursive: true });
print(rows);
process.exit(rows.some(({ result }) => result !== "whole") ? 1 : 0);

/** Runs one part to its end, however long that takes. */
function goThrough(name) {
  const { file, title, figures: wanted = [] } = parts[name];
  const kept = join(folder, name);
  console.log(`\n— ${name}`);
  const began = Date.now();
  const { status } = spawnSync(
    process.execPath,
    [
      join(home, "node_modules/vitest/vitest.mjs"),
      ...["run", `test/faults/${file}`, "--maxWorkers=1", ...(title === undefined ? [] : ["-t", title])],
    ],
    {
      cwd: home,
      env: {
        ...process.env,
        WAYMARK_TESTS: "all",
        WAYMARK_FAULTS_FIGURES: kept,
        ...(calls === undefined ? {} : { WAYMARK_FAULT_CALLS: calls }),
      },
      stdio: "inherit",
    },
  );
  const figures = existsSync(kept) ? readFileSync(kept, "utf8").trim().split("\n").map(JSON.parse) : [];
  const minutes = ((Date.now() - began) / 60_000).toFixed(1);
  const isSkipped = status === 0 && wanted.some((part) => !figures.some((one) => one.part === part));
  return { name, minutes, figures, result: status !== 0 ? "FAILED" : isSkipped ? "NOT RUN" : "whole" };
}

function print(all) {
  const lines = all.flatMap(({ name, minutes, figures, result }) =>
    (figures.length === 0 ? [{ part: "", how: "" }] : figures).map(({ part, faults = "", acknowledged = "", how }) => [
      ...[part === "" ? name : `${name}: ${part}`, faults, acknowledged, result === "whole" ? 0 : "?"],
      ...[result, minutes, how],
    ]),
  );
  const table = [["part", "faults fired", "acknowledged", "lost", "result", "minutes", ""], ...lines];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => `${row[column]}`.length)));
  console.log("");
  for (const row of table)
    console.log(
      row
        .map((cell, column) => `${cell}`.padEnd(widths[column]))
        .join("  ")
        .trimEnd(),
    );
}
