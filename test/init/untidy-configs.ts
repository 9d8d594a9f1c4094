import type { HostId } from "../../src/hosts/host.ts";

/** Configs as people keep them: other servers, comments, their own layout. */
export const untidyConfigs: Readonly<Record<HostId, Readonly<Record<string, string>>>> = {
  claude: {
    ".mcp.json": '{"mcpServers":{"github":{"command":"npx","args":["-y","github-mcp"]}}}',
    ".claude/settings.json":
      '{\n    "model": "opus",\n    "permissions": {\n        "allow": ["Bash(ls)"],\n        "deny": [\n            "Read(./.env)"\n        ]\n    },\n    "hooks": {\n        "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "lint-hook claude" }] }]\n    }\n}\n',
  },
  cursor: {
    ".cursor/mcp.json":
      '{\n\t// ours\n\t"mcpServers": {\n\t\t"docs": { "type": "stdio", "command": "docs-mcp" } // do not touch\n\t}\n}\n',
    ".cursor/hooks.json":
      '{\n  "version": 1,\n  "hooks": {\n    // keep\n    "stop": [{ "command": "./hooks/audit.sh", "timeout": 5 }]\n  }\n}\n',
    ".cursorignore": "dist/\n*.pem",
  },
  vscode: {
    ".vscode/mcp.json":
      '{\r\n  "inputs": [],\r\n  "servers": {\r\n    /* first */\r\n    "memory": { "type": "stdio", "command": "npx", "args": ["-y", "memory"] },\r\n  },\r\n}\r\n',
    ".vscode/settings.json":
      '{\n  // editor\n  "editor.tabSize": 2,\n  "chat.tools.edits.autoApprove": { "**/.env": false }\n}\n',
  },
  codex: {
    ".codex/config.toml":
      '# the team\nmodel = "gpt-5.5" # fast\n\n[mcp_servers.docs]\ncommand = "docs-mcp"\nargs = [\n  "--quiet", # please\n]\n\n# the end\n[features]\nweb_search = true\n',
    ".codex/hooks.json":
      '{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "say done", "timeout": 5 }] }] } }\n',
    "AGENTS.md": "# House rules\n\nBe kind.\n",
  },
  gemini: {
    ".gemini/settings.json":
      '{ "ui": { "theme": "GitHub" },\n  "mcpServers": { "docs": { "command": "docs-mcp", "timeout": 5000 } },\n  "hooks": { "BeforeTool": [{ "matcher": "write_file", "hooks": [{ "type": "command", "command": "guard" }] }] } }\n',
    ".geminiignore": "/build/\n",
  },
  windsurf: {
    ".devin/mcp_config.json": '{ "mcpServers": {} }',
    "~/.codeium/windsurf/mcp_config.json":
      '{\n  "mcpServers": {\n    "docs": {\n      "command": "docs-mcp"\n    }\n  }\n}',
    ".codeiumignore": "",
  },
  copilot: {
    ".mcp.json": '{ "mcpServers": { "docs": { "command": "docs-mcp" } } }\n',
    ".github/hooks/waymark.json":
      '{\n  "version": 1,\n  "hooks": { "sessionStart": [{ "type": "command", "bash": "echo hello", "powershell": "echo hello", "timeoutSec": 5 }] }\n}\n',
    "AGENTS.md": "# House rules\n",
  },
  opencode: {
    ".opencode/plugin/waymark.js": "// our own part\nexport const Ours = async () => ({});\n",
    "opencode.json": '{\n  "model": "x",\n  "mcp": { "docs": { "type": "local", "command": ["docs-mcp"] } }\n}\n',
  },
  qwen: {
    ".qwen/settings.json":
      '{\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "say done", "timeout": 1 }] }]\n  },\n  "mcpServers": { "docs": { "command": "docs-mcp" } }\n}\n',
  },
  zed: {
    ".zed/settings.json":
      '// Folder-specific settings\n{\n  "tab_size": 4,\n  "context_servers": {\n    "docs": { "command": "docs-mcp", "args": [] },\n  },\n  "private_files": ["**/*.key"],\n}\n',
  },
};
