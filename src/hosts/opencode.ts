import { join } from "node:path";
import { agentsFile } from "./agents-file.ts";
import { hookWords } from "./hook-parts.ts";
import type { BlockPart, CommandLine, Host, HostFile } from "./host.ts";

/** OpenCode. Documented on its pages "MCP servers" (`mcp` in `opencode.json`, the command as a list) and "Plugins" (modules in `.opencode/plugin/`). */
export const opencode: Host = {
  id: "opencode",
  title: "OpenCode",
  traces: {
    project: [".opencode", "opencode.json"],
    home: [".config/opencode", ".opencode"],
    commands: ["opencode"],
  },
  files: ({ root, start, noHooks }) => {
    const { command, args } = start.inProject(".");
    const plugin: HostFile = {
      path: join(root, ".opencode/plugin/waymark.js"),
      syntax: "text",
      parts: [pluginBlock(start.inProject("."))],
    };
    return [
      {
        path: join(root, "opencode.json"),
        syntax: "json",
        parts: [{ kind: "server", under: "mcp", asList: true, entry: { command, args, enabled: true } }],
      },
      ...(noHooks ? [] : [plugin]),
      agentsFile(root),
    ];
  },
  next: "Start `opencode` in this folder; it does not ask for trust and loads the plugin in .opencode/plugin/ at once.",
};

/** The plugin module, since OpenCode has no command hooks; it calls `waymark hook` and fails open like the others. */
function pluginBlock({ command, args }: CommandLine): BlockPart {
  const words = hookWords(args, "opencode", "").slice(0, -1);
  return {
    kind: "block",
    marks: { begin: "// waymark begin", end: "// waymark end" },
    commandLine: "const command = ",
    lines: [
      'import { spawn } from "node:child_process";',
      "",
      `const command = ${JSON.stringify([command, ...words])}; // hook opencode`,
      "",
      "/** Asks Waymark about an event; an error never blocks anything. Leave workflow_state.json to Waymark. */",
      "function ask(directory, event, sent) {",
      "  return new Promise((resolve) => {",
      "    const done = (text) => { try { resolve(JSON.parse(text)); } catch { resolve({}); } };",
      "    try {",
      '      const child = spawn(command[0], [...command.slice(1), event], { cwd: directory, stdio: ["pipe", "pipe", "ignore"] });',
      '      let said = "";',
      '      child.stdout.on("data", (chunk) => { said += chunk; });',
      '      child.on("error", () => done("{}"));',
      '      child.on("close", () => done(said));',
      '      child.stdin.on("error", () => {});',
      "      child.stdin.end(JSON.stringify({ cwd: directory, ...sent }));",
      '    } catch { done("{}"); }',
      "  });",
      "}",
      "",
      "export const Waymark = async ({ client, directory }) => ({",
      '  "tool.execute.before": async (input, output) => {',
      '    const { deny } = await ask(directory, "tool.execute.before", { ...input, args: output.args });',
      "    if (deny) throw new Error(deny);",
      "  },",
      '  "tool.execute.after": async (input, output) => {',
      "    const { output: text, content, structuredContent } = output ?? {};",
      '    await ask(directory, "tool.execute.after", { ...input, output: text, content, structuredContent });',
      "  },",
      '  "experimental.chat.system.transform": async (input, output) => {',
      '    const { context } = await ask(directory, "experimental.chat.system.transform", { sessionID: input?.sessionID });',
      "    if (context) output.system.push(context);",
      "  },",
      '  "experimental.session.compacting": async (input, output) => {',
      '    const { context } = await ask(directory, "experimental.session.compacting", { sessionID: input?.sessionID });',
      "    if (context) output.context.push(context);",
      "  },",
      "  event: async ({ event }) => {",
      '    if (event.type !== "session.idle") return;',
      "    const { sessionID } = event.properties ?? {};",
      '    const { remind } = await ask(directory, "session.idle", { sessionID });',
      '    if (remind) await client.session.prompt({ path: { id: sessionID }, body: { parts: [{ type: "text", text: remind }] } });',
      "  },",
      "});",
    ],
  };
}
