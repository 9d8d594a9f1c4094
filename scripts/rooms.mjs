/**
 * The rooms of src/, from the core outwards: what each is for, and what it may import besides itself. The import rules, the map
 * and the picture of ARCHITECTURE.md, and the test that compares them with the tree come from this table. The three pure rooms,
 * kit, gates and workflow, are open to every room outside them.
 */
export const rooms = {
  kit: { job: "JSON, hashes, paths, once: nothing about workflows", imports: [] },
  gates: { job: "pure: requirements, rules, judging, meaning", imports: [] },
  workflow: { job: "pure: position, decide, replay", imports: [] },
  "engine/ports": { job: "what the engine needs from outside, as types", imports: [] },
  engine: { job: "carries out one command: load, decide, record, act, reply", imports: ["engine/ports"] },
  notify: {
    job: "records → webhooks: finds, signs, sends, tries again",
    imports: ["engine/ports", "messages/stream-words.ts"],
  },
  definitions: {
    job: "a folder of files → plans, steps, gates, rules",
    imports: ["engine/ports", "notify/read-targets.ts"],
  },
  lint: { job: "what authors see: check, explain, fix, write gates", imports: ["definitions", "engine/ports"] },
  stores: {
    job: "histories, views and content in files, PostgreSQL or memory",
    imports: ["engine/ports", "messages/fixed-texts.ts"],
  },
  repository: { job: "git work trees, and which run uses which", imports: [] },
  checks: {
    job: "runs commands, reads reports, files and git facts",
    imports: ["repository", "engine/ports"],
  },
  people: { job: "keys, passkeys, proofs of signed statements", imports: [] },
  audit: { job: "verify, require, recheck, attestation, export", imports: ["people", "engine/ports"] },
  retrieval: { job: "documents → chunks → index → search", imports: ["engine/ports"] },
  messages: { job: "refusals, warnings, questions: worded once", imports: ["engine", "engine/ports"] },
  mcp: { job: "tools, prompts, resources; both protocol eras", imports: ["messages", "engine", "engine/ports"] },
  http: {
    job: "transport, identity, limits, projects",
    imports: ["mcp", "messages", "notify/read-targets.ts", "engine", "engine/ports"],
  },
  "dashboard/overview": {
    job: "what people see of runs, as data",
    imports: ["audit", "messages", "engine", "engine/ports"],
  },
  "dashboard/api": {
    job: "what the page asks its server",
    imports: ["dashboard/overview", "http", "audit", "people", "messages", "engine", "engine/ports"],
  },
  "dashboard/page": { job: "the page in the browser", imports: ["dashboard/api", "dashboard/overview"] },
  hosts: { job: "a host as data; init/ and hooks/", imports: [] },
  generator: { job: "a bot → a standalone server", imports: [] },
  app: {
    job: "one file per use case: chooses and wires the parts",
    imports: [
      "definitions",
      "lint",
      "stores",
      "repository",
      "checks",
      "people",
      "audit",
      "retrieval",
      "notify",
      "mcp",
      "http",
      "dashboard/api",
      "hosts",
      "engine",
      "engine/ports",
    ],
  },
  cli: {
    job: "argv → app; the only room that ends the process",
    imports: [
      "app",
      "notify",
      "mcp",
      "http",
      "dashboard/api",
      "dashboard/overview",
      "hosts",
      "generator",
      "audit",
      "people",
      "repository",
      "messages",
      "engine",
      "engine/ports",
      "version.ts",
    ],
  },
  testing: { job: "contract suites, published as waymark/testing", imports: ["engine/ports"] },
};

/** The pure rooms, each open to those after it and to all others. */
const pure = ["kit", "gates", "workflow"];

/** The rooms and files that a room may import besides itself. */
export function importsOf(room) {
  const at = pure.indexOf(room);
  return [...(at < 0 ? pure : pure.slice(0, at)), ...rooms[room].imports];
}

/** The room of a file under src/, by its longest name; undefined for a loose file. */
export function roomOf(file) {
  return Object.keys(rooms)
    .filter((room) => file.startsWith(`${room}/`))
    .sort((one, other) => other.length - one.length)[0];
}

/** The map of ARCHITECTURE.md: each room with its job and what it may import besides the pure rooms, the outermost first. */
export function mapOfRooms() {
  const shown = Object.entries(rooms).map(([name, { job, imports }]) => {
    const line = `  ${`${name}/`.padEnd(20)} ${job}`;
    return imports.length === 0 ? line : `${line}\n${" ".repeat(23)}→ ${imports.join(", ")}`;
  });
  return ["src/", ...shown.reverse()].join("\n");
}
