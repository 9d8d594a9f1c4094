const room = (name) => `^src/${name}/`;
const only = (from, to) => ({
  name: `${from.replaceAll("/", "-")}-imports-only`,
  severity: "error",
  comment: `src/${from} may import only: ${to.join(", ") || "nothing"}`,
  from: { path: room(from), pathNot: "\\.test\\.ts$" },
  to: {
    path: "^src/",
    pathNot: [room(from), ...to.map((target) => (target.endsWith(".ts") ? `^src/${target}$` : room(target)))],
  },
});

/** What the engine needs from outside: the only part of it that adapters see. */
const ports = ["engine/ports.ts", "engine/phased-ports.ts", "engine/search-ports.ts", "engine/head-ports.ts"];

/** The one-way imports of ARCHITECTURE.md. */
export default {
  forbidden: [
    only("workflow", []),
    only("engine", ["workflow"]),
    only("words", [...ports, "engine/caller.ts", "engine/reply.ts", "workflow"]),
    only("definitions", [...ports, "workflow"]),
    only("stores", [...ports, "workflow", "words"]),
    only("audit", [...ports, "engine/session-id.ts", "workflow"]),
    only("checks", [...ports, "workflow"]),
    only("retrieval", [...ports, "workflow"]),
    only("generator", [...ports, "workflow"]),
    only("mcp", ["engine", "words", "workflow"]),
    only("hosts", []),
    only("init", ["hosts"]),
    only("testing", [...ports, "workflow"]),
    only("cli", [
      "compose.ts",
      "compose-check.ts",
      "version.ts",
      "audit",
      "generator",
      "mcp",
      "engine",
      "words",
      "workflow",
      "init",
      "hosts",
    ]),
    {
      name: "the-core-is-pure",
      severity: "error",
      comment: "src/workflow has no I/O, clock, randomness or dependency",
      from: { path: room("workflow"), pathNot: "\\.test\\.ts$" },
      to: { dependencyTypes: ["core", "npm", "npm-dev"] },
    },
    {
      name: "no-cycles",
      severity: "error",
      from: { path: "^src/" },
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    { name: "nothing-imports-cli", severity: "error", from: { pathNot: room("cli") }, to: { path: room("cli") } },
    { name: "no-unresolved", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
