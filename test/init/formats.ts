import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ParseError, parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { expect } from "vitest";
import { z } from "zod";
import type { HostId } from "../../src/hosts/host.ts";

const env = z.record(z.string(), z.string());
const stdio = { command: z.string().min(1), args: z.array(z.string()).optional(), env: env.optional() };
const servers = <Entry extends z.ZodType>(entry: Entry) => z.record(z.string().regex(/^[\w-]+$/), entry);

/** Claude Code, "Connect Claude Code to tools via MCP": .mcp.json. */
const claudeServers = z.strictObject({
  mcpServers: servers(z.strictObject({ type: z.literal("stdio").optional(), ...stdio })),
});

/** Claude Code, "Configure permissions": a tool and a pattern; for files the tools are Read and Edit. */
const claudeSettings = z.looseObject({
  permissions: z.looseObject({ deny: z.array(z.string().regex(/^(Bash|Read|Edit)\(.+\)$/)) }),
});

/** Cursor, "Model Context Protocol (MCP)": STDIO server configuration. */
const cursorServers = z.strictObject({
  mcpServers: servers(z.strictObject({ type: z.literal("stdio"), ...stdio, envFile: z.string().optional() })),
});

/** VS Code, "MCP configuration reference": type and command are required. */
const vscodeServers = z.strictObject({
  servers: servers(
    z.strictObject({ type: z.literal("stdio"), ...stdio, envFile: z.string().optional(), cwd: z.string().optional() }),
  ),
  inputs: z.array(z.looseObject({})).optional(),
});

/** VS Code, "Review AI-generated code edits": globs, true or false. */
const vscodeSettings = z.looseObject({ "chat.tools.edits.autoApprove": z.record(z.string(), z.boolean()) });

/** Codex, "Model Context Protocol": [mcp_servers.<name>], keys of a STDIO server. */
const codexConfig = z.looseObject({
  mcp_servers: servers(
    z.strictObject({
      ...stdio,
      env_vars: z.array(z.string()).optional(),
      cwd: z.string().optional(),
      startup_timeout_sec: z.number().optional(),
      tool_timeout_sec: z.number().optional(),
      enabled: z.boolean().optional(),
      required: z.boolean().optional(),
      enabled_tools: z.array(z.string()).optional(),
      disabled_tools: z.array(z.string()).optional(),
    }),
  ),
});

/** Gemini CLI, "MCP servers with Gemini CLI": configuration properties of a stdio server. */
const geminiSettings = z.looseObject({
  mcpServers: servers(
    z.strictObject({
      ...stdio,
      cwd: z.string().optional(),
      timeout: z.number().optional(),
      trust: z.boolean().optional(),
      includeTools: z.array(z.string()).optional(),
      excludeTools: z.array(z.string()).optional(),
    }),
  ),
});

/** Devin Desktop, "MCP Configuration": no key but these. */
const devinServers = z.strictObject({ mcpServers: servers(z.strictObject(stdio)) });

/** Windsurf, "Cascade: Model Context Protocol (MCP)". */
const windsurfServers = z.strictObject({ mcpServers: servers(z.strictObject(stdio)) });

/** Zed, "Model Context Protocol" and "All Settings". */
const zedSettings = z.looseObject({
  context_servers: servers(z.strictObject({ ...stdio, enabled: z.boolean().optional() })),
  private_files: z.array(z.string()),
});

/** OpenCode, "MCP servers": a local server's command is a list. */
const openCodeConfig = z.looseObject({
  mcp: servers(
    z.strictObject({
      type: z.literal("local"),
      command: z.array(z.string()).min(1),
      enabled: z.boolean().optional(),
      environment: env.optional(),
      env: env.optional(),
    }),
  ),
});

const handler = z.looseObject({ type: z.literal("command"), command: z.string().min(1), timeout: z.number() });

/** Claude Code and Codex, "Hooks": for each event groups with an optional matcher. */
const groupedHooks = z.looseObject({
  hooks: z.record(z.string(), z.array(z.strictObject({ matcher: z.string().optional(), hooks: z.array(handler) }))),
});

/** Cursor and Copilot, "Hooks": a version, and for each event a plain list. */
const plainHooks = z.strictObject({
  version: z.literal(1),
  hooks: z.record(
    z.string(),
    z.array(
      z.union([
        z.strictObject({ command: z.string(), timeout: z.number() }),
        z.strictObject({
          type: z.literal("command"),
          bash: z.string(),
          powershell: z.string(),
          timeoutSec: z.number(),
        }),
      ]),
    ),
  ),
});

type Format = { readonly file: string; readonly inHome?: true; readonly schema?: z.ZodType };

/** The files of each host as its own pages describe them. */
export const formats: Readonly<Record<HostId, readonly Format[]>> = {
  claude: [
    { file: ".mcp.json", schema: claudeServers },
    { file: ".claude/settings.json", schema: claudeSettings },
  ],
  cursor: [
    { file: ".cursor/mcp.json", schema: cursorServers },
    { file: ".cursor/hooks.json", schema: plainHooks },
    { file: ".cursorignore" },
    { file: "AGENTS.md" },
  ],
  vscode: [
    { file: ".vscode/mcp.json", schema: vscodeServers },
    { file: ".vscode/settings.json", schema: vscodeSettings },
  ],
  codex: [
    { file: ".codex/config.toml", schema: codexConfig },
    { file: ".codex/hooks.json", schema: groupedHooks },
    { file: "AGENTS.md" },
  ],
  gemini: [{ file: ".gemini/settings.json", schema: geminiSettings }, { file: ".geminiignore" }],
  windsurf: [
    { file: ".devin/mcp_config.json", schema: devinServers },
    { file: ".codeium/windsurf/mcp_config.json", inHome: true, schema: windsurfServers },
    { file: ".codeiumignore" },
  ],
  zed: [{ file: ".zed/settings.json", schema: zedSettings }, { file: "AGENTS.md" }],
  copilot: [
    { file: ".mcp.json", schema: claudeServers },
    { file: ".github/hooks/waymark.json", schema: plainHooks },
    { file: "AGENTS.md" },
  ],
  opencode: [{ file: "opencode.json", schema: openCodeConfig }, { file: ".opencode/plugin/waymark.js" }],
  qwen: [{ file: ".qwen/settings.json", schema: geminiSettings }],
};

/** Holds every file of a host against its documented format. */
export function expectDocumentedFormat(host: HostId, root: string, home: string): void {
  for (const { file, inHome, schema } of formats[host]) {
    const text = readFileSync(join(inHome ? home : root, file), "utf8");
    const read = schema === undefined ? undefined : schema.safeParse(dataOf(file, text));
    expect(read?.error, file).toBeUndefined();
    if (schema === undefined) expect(text, file).toContain("workflow_state.json");
  }
}

/** What a config says. */
export function dataOf(file: string, text: string): unknown {
  if (file.endsWith(".toml")) return parseToml(text);
  const errors: ParseError[] = [];
  const data: unknown = parseJsonc(text, errors, { allowTrailingComma: true });
  expect(errors, file).toEqual([]);
  return data;
}
