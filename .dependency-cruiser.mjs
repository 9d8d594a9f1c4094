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
const ports = ["engine/ports.ts", "engine/phased-ports.ts"];

/** The one-way imports of ARCHITECTURE.md. */
export default {
  forbidden: [
    only("evidence", []),
    only("people", ["evidence"]),
    only("workflow", ["evidence", "people/statement.ts"]),
    only("engine", ["workflow", "evidence", "people/statement.ts"]),
    only("words", [...ports, "engine/caller.ts", "engine/reply.ts", "workflow", "evidence"]),
    only("definitions", [...ports, "libraries.ts", "workflow", "evidence"]),
    only("stores", [...ports, "audit/ports.ts", "http/ports.ts", "workflow", "evidence", "words"]),
    only("audit", [...ports, "engine/session-id.ts", "workflow", "evidence", "people"]),
    only("checks", [...ports, "libraries.ts", "workflow", "evidence"]),
    only("retrieval", [...ports, "libraries.ts", "workflow", "evidence"]),
    only("generator", [...ports, "workflow", "evidence"]),
    only("mcp", ["workplace.ts", "retrieval/ports.ts", "engine", "words", "workflow", "evidence"]),
    only("http", ["workplace.ts", "version.ts", "mcp", "engine", "words", "workflow", "evidence"]),
    only("repository", ["evidence"]),
    only("hosts", []),
    only("init", ["hosts"]),
    only("testing", [...ports, "workflow", "evidence"]),
    only("cli", [
      "compose.ts",
      "compose-attestation.ts",
      "compose-check.ts",
      "compose-checks.ts",
      "compose-people.ts",
      "compose-recheck.ts",
      "compose-require.ts",
      "compose-team.ts",
      "compose-trust.ts",
      "workplace.ts",
      "retrieval/ports.ts",
      "version.ts",
      "audit",
      "generator",
      "http",
      "mcp",
      "engine",
      "words",
      "workflow",
      "evidence",
      "people",
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
