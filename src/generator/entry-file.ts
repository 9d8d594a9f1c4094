import { entryFile } from "./files.ts";
import type { PackageIdentity } from "./package-identity.ts";

/** Writes the entry file, which serves the definitions beside it for the project it is started in. */
export function entryText({ bot, bin, version, waymark }: PackageIdentity, serve: string, hook: string): string {
  return `#!/usr/bin/env node
// Made by Waymark ${waymark} from a bot. Do not edit: change the bot and run \`waymark generate\` again.
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

if (process.argv[2] === "hook") {
  // A host's hook, which is never to fail: see \`waymark hook\`.
  process.on("uncaughtException", () => process.stdout.write("{}\\n", () => process.exit(0)));
  const { hook } = await import("./runtime/${hook}");
  await hook(process.argv[3] ?? "", process.argv[4] ?? "");
}

const { serve } = await import("./runtime/${serve}");
const help = ${JSON.stringify(helpText(bot, bin))};

try {
  const { values } = parseArgs({
    options: {
      root: { type: "string", default: "." },
      "project-area": { type: "string" },
      help: { type: "boolean", short: "h" },
      version: { type: "boolean", short: "V" },
    },
  });
  if (values.help) process.stdout.write(help);
  else if (values.version) process.stdout.write(${JSON.stringify(`${version}\n`)});
  else {
    await serve({
      root: values.root,
      definitions: fileURLToPath(new URL("definitions", import.meta.url)),
      ...(values["project-area"] === undefined ? {} : { projectArea: values["project-area"] }),
    });
  }
} catch (error) {
  process.stderr.write(${JSON.stringify(`${bin}: `)} + (error instanceof Error ? error.message : String(error)) + "\\n");
  process.exitCode = 1;
}
`;
}

function helpText(bot: string, bin: string): string {
  return `Usage: ${bin} [options]        (or: node ${entryFile} [options])

Serves the bot ${bot} to an assistant over MCP (stdio).

Options:
  --root <dir>          the project to work on (default: the current folder)
  --project-area <dir>  where state, log and content go (default: the root)
  -V, --version         print the version
  -h, --help            print this
`;
}
