import type { CatalogTool } from "./bundle.ts";
import { type ClientConfig, startCommand } from "./clients.ts";
import { entryFile } from "./files.ts";
import { type PackageIdentity, unknownOwner } from "./package-identity.ts";

/** Writes the README of a generated package, for its users and for its publisher. */
export function readmeText(
  identity: PackageIdentity,
  tools: readonly CatalogTool[],
  clients: readonly ClientConfig[],
): string {
  const { title, description, bot, bin, waymark } = identity;
  const { command, args } = startCommand(identity);
  return `# ${title}

${description}

An MCP server for the bot \`${bot}\`: its steps in order, each one recorded, resumed where they stopped. Made
with \`waymark generate\` ${waymark}; it needs Node 20.19 or newer and nothing else.

## Run it

It works on the folder it is started in, or on the one named with \`--root\`. There it keeps
\`workflow_state.json\`, \`activity_log.json\` and \`.waymark/\`.

\`\`\`sh
node ${entryFile} --help
npx . --help
\`\`\`

From another folder: \`node /path/to/${bin}/${entryFile}\`, as the command in your host's config.

## Add it to a host

${installation(identity)} The configs in \`clients/\` then start it with \`${[command, ...args].join(" ")}\`:

${clients.map(({ host, file, place }) => `- ${host}: \`clients/${file}\` goes into ${place}`).join("\n")}
- Claude Desktop: open \`${bin}.mcpb\`, and choose the project folder

## Tools

${tools.map(({ name, description: said = "" }) => `- \`${name}\`: ${said.replace(/\s+/g, " ")}`).join("\n")}

\`tools.json\` has them in the form of \`tools/list\`.

## Publish it

${publishing(identity)}
`;
}

function installation({ name, bin, isPrivate }: PackageIdentity): string {
  return isPrivate
    ? `Install it: \`npm install --save-dev /path/to/${bin}\` in the project, or \`npm install -g /path/to/${bin}\`.`
    : `Once published, it is fetched from npm as \`${name}\`.`;
}

function publishing({ bot, name, mcpName, repository, isPrivate, bin }: PackageIdentity): string {
  const steps = [
    ...(isPrivate
      ? [`Choose a name: \`waymark generate ${bot} --name @you/${bin}\`. Until then the package is private.`]
      : []),
    ...(mcpName.startsWith(`${unknownOwner}/`)
      ? ["Set `mcpName` in `package.json` to a name that is yours in the MCP registry (`io.github.<you>/<name>`)."]
      : []),
    ...(repository === undefined
      ? ["Set `repository` in `package.json`, so that `server.json` can also name the released bundle."]
      : []),
    "Raise `version` in `package.json` and generate again: your settings there are kept, and the other files are updated.",
    `\`npm publish\`${name.startsWith("@") ? " (`--access public` the first time)" : ""}, then \`mcp-publisher publish\` for \`${mcpName}\`.`,
    `Attach \`${bin}.mcpb\` to the release \`v<version>\`.`,
  ];
  return steps.map((step, index) => `${index + 1}. ${step}`).join("\n");
}
