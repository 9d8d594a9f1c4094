import { readdirSync } from "node:fs";
import { join } from "node:path";
import { cruise } from "dependency-cruiser";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";
import config from "../.dependency-cruiser.mjs";
import { home } from "./set-up.mjs";

process.chdir(home);
const { forbidden, options } = config;
const { output } = await cruise(["src"], { ...options, ruleSet: { forbidden }, validate: true }, undefined, {
  tsConfig: extractTSConfig(join(home, "tsconfig.json")),
});

const seen = new Set(output.modules.map(({ source }) => source));
const files = readdirSync("src", { recursive: true })
  .map((file) => `src/${file.replaceAll("\\", "/")}`)
  .filter((file) => /\.tsx?$/.test(file));
const unseen = files.filter((file) => !seen.has(file));
const linked = output.modules.filter(
  ({ source, dependencies }) => source.startsWith("src/") && dependencies.length > 0,
);
// A cruiser that cannot read the compiler's version sees nothing and finds nothing wrong.
if (unseen.length > 0 || linked.length < files.length / 2) {
  console.error(`The import check does not see the modules: ${unseen.length} of ${files.length} files unseen.`);
  process.exit(1);
}
for (const { rule, from, to } of output.summary.violations) console.error(`${rule.name}: ${from} → ${to}`);
if (output.summary.violations.length > 0) process.exit(1);
console.log(`${files.length} modules, ${output.summary.totalDependenciesCruised} imports, one way.`);
