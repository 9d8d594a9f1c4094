import { rmSync } from "node:fs";
import { join } from "node:path";
import { home, install, requireNode, runTool } from "./set-up.mjs";

requireNode();
install();
const { build } = await import("esbuild");
const { buildPage } = await import("./build-page.mjs");
const { writeSbom } = await import("./write-sbom.mjs");
const { mergeChunks } = await import("./merge-chunks.mjs");
rmSync(join(home, "dist"), { recursive: true, force: true });

const common = {
  absWorkingDir: home,
  outdir: "dist",
  bundle: true,
  platform: "node",
  target: "node20.19",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none", // licenses.txt has the licences in full
  logLevel: "warning",
};

/** Everything is bundled: an assistant starts us for every window, and one file loads faster than two hundred. */
const { metafile } = await build({
  ...common,
  metafile: true,
  entryPoints: {
    waymark: "src/cli/main.ts",
    index: "src/index.ts",
    testing: "src/testing/index.ts",
    supervise: "src/checks/commands/supervise.ts",
    "stat-thread": "src/checks/files/stat-thread.ts",
  },
  splitting: true,
  format: "esm",
  alias: {
    "@modelcontextprotocol/server/_shims": "./scripts/sdk-shims.mjs",
    // The TAP parser brings YAML along.
    "yaml/util": "./node_modules/yaml/browser/dist/util.js",
    yaml: "./node_modules/yaml/browser/index.js",
    // Its ES build is the one that can be bundled.
    "jsonc-parser": "./node_modules/jsonc-parser/lib/esm/main.js",
  },
  // CommonJS parts inside the bundle ask for Node's own modules with require.
  banner: {
    js: 'import { createRequire as __nodeRequire } from "node:module"; const require = __nodeRequire(import.meta.url);',
  },
});

await mergeChunks(home, metafile, { "start-hook": "src/cli/work/hook.ts", "start-serve": "src/cli/work/serve.ts" });

/** Builds the libraries that `src/kit/libraries.ts` loads on first use. The ES build of yaml loads three times as fast as the one made for require. */
const libraries = await build({
  ...common,
  metafile: true,
  entryPoints: { yaml: "./node_modules/yaml/browser/index.js", re2js: "re2js" },
  format: "cjs",
  outExtension: { ".js": ".cjs" },
});
const page = await buildPage();
writeSbom(home, [
  ...Object.keys(metafile.inputs),
  ...Object.keys(libraries.metafile.inputs),
  ...page.output.flatMap(({ modules = {} }) => Object.keys(modules)),
]);
if (!process.argv.includes("--quick")) {
  // `npm test` checks the types of everything at once: once is enough.
  const unchecked = process.argv.includes("--no-check") ? ["--noCheck"] : [];
  runTool("tsc", ["-p", "tsconfig.build.json", ...unchecked]);
}
