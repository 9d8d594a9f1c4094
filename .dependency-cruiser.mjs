import { importsOf, rooms } from "./scripts/rooms.mjs";

const names = Object.keys(rooms);
const pathOf = (target) => (target.endsWith(".ts") ? `^src/${target}$` : `^src/${target}/`);
/** The rooms inside a room, which have rules of their own. */
const within = (room) => names.filter((name) => name.startsWith(`${room}/`)).map(pathOf);

/** One rule a room: what it may import. A room inside another is a room of its own. */
const onlyListed = names.map((room) => {
  const allowed = [room, ...importsOf(room)];
  const refused = names.filter((name) => !allowed.includes(name));
  const files = allowed.filter((name) => name.endsWith(".ts")).map(pathOf);
  return {
    name: `${room.replaceAll("/", "-")}-imports-only`,
    severity: "error",
    comment: `src/${room} may import only: ${allowed.join(", ")}`,
    from: { path: pathOf(room), pathNot: ["\\.test\\.tsx?$", ...within(room)] },
    to: {
      path: "^src/",
      pathNot: [...allowed.filter((name) => !name.endsWith(".ts")).map((name) => only(name, refused)), ...files],
    },
  };
});

/** A room without the rooms inside it that are refused. */
function only(name, refused) {
  const inner = refused.filter((other) => other.startsWith(`${name}/`)).map((other) => other.slice(name.length + 1));
  return inner.length === 0 ? pathOf(name) : `^src/${name}/(?!(?:${inner.join("|")})/)`;
}

/** The one-way imports of ARCHITECTURE.md. */
export default {
  forbidden: [
    ...onlyListed,
    {
      name: "the-core-is-pure",
      severity: "error",
      comment: "src/workflow has no I/O, clock, randomness or dependency",
      from: { path: pathOf("workflow"), pathNot: "\\.test\\.ts$" },
      to: { dependencyTypes: ["core", "npm", "npm-dev"] },
    },
    { name: "no-cycles", severity: "error", from: { path: "^src/" }, to: { circular: true } },
    { name: "nothing-imports-cli", severity: "error", from: { pathNot: "^src/cli/" }, to: { path: "^src/cli/" } },
    { name: "no-unresolved", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
