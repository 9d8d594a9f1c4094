import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zipSync } from "fflate";
import { home } from "./set-up.mjs";

/** Writes `waymark.mcpb`, the bundle for hosts that install with a double click; it needs a build. `node scripts/bundle.mjs FOLDER` */
const about = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
const manifest = {
  manifest_version: "0.3",
  name: about.name,
  display_name: "Waymark",
  version: about.version,
  description: about.description,
  author: { name: "The Waymark maintainers" },
  license: about.license,
  server: {
    type: "node",
    entry_point: "dist/waymark.js",
    mcp_config: {
      command: "node",
      args: [`\${__dirname}/dist/waymark.js`, "serve", "--root", `\${user_config.project_folder}`],
      env: {},
    },
  },
  tools_generated: true,
  prompts_generated: true,
  keywords: about.keywords,
  compatibility: { platforms: ["darwin", "win32", "linux"], runtimes: { node: about.engines.node } },
  user_config: {
    project_folder: {
      type: "directory",
      title: "Project folder",
      description: "The project to work on: the folder that holds .waymark/.",
      required: true,
    },
  },
};

const files = ["dist", "schemas", "templates"].flatMap((folder) =>
  readdirSync(join(home, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(home.length).replaceAll("\\", "/"))
    .filter((file) => !file.startsWith("dist/types/")),
);
const entries = { "manifest.json": Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) };
for (const file of [...files, "package.json", "LICENSE"].sort()) entries[file] = readFileSync(join(home, file));
const options = { level: 9, mtime: new Date(1980, 0, 1) };
const out = join(process.argv[2] ?? process.cwd(), "waymark.mcpb");
writeFileSync(
  out,
  zipSync(Object.fromEntries(Object.entries(entries).map(([path, bytes]) => [path, [bytes, options]]))),
);
console.log(out);
