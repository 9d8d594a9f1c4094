// Prints which source files one completing call passes, and how often it changes rooms: `npm run trace [-- --steps]`.
//
// Every function of src/ is told to report when it is entered (the sources are compiled one by one for that, unbundled),
// and the real server is driven over stdio. What counts is what was entered between the arrival of the call and its
// answer: a file is passed where one of its functions was entered, a room is src/<room>/ (a file of src/ itself is a room
// of its own), and the room changes where the function entered belongs to another room than the one entered before it.
// At 0.1, with two engines: 64 files and 106 changes for complete_action, 60 and 135 for complete_phase.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import ts from "typescript";
import { home } from "./set-up.mjs";

const showsSteps = process.argv.includes("--steps");
const built = join(home, ".cache/trace");

/** Loaded before the server: records what is entered between the arrival of a call and its answer. */
const recorder = `
import { writeFileSync } from "node:fs";
const { WAYMARK_TRACE: out, WAYMARK_TRACED_TOOL: tool } = process.env;
let id, entered = [];
globalThis.__entered = (file) => void (id !== undefined && entered.push(file));
const { emit } = process.stdin;
process.stdin.emit = function (event, chunk, ...rest) {
  const lines = event === "data" ? String(chunk).split("\\n").filter((line) => line.includes('"tools/call"')) : [];
  const call = lines.map((line) => JSON.parse(line)).find(({ params }) => params.name === tool);
  if (call !== undefined) ({ id } = call), (entered = []);
  return emit.call(this, event, chunk, ...rest);
};
const { write } = process.stdout;
process.stdout.write = function (chunk, ...rest) {
  if (id !== undefined && String(chunk).includes('"result"') && JSON.parse(String(chunk)).id === id) {
    id = undefined;
    writeFileSync(out, JSON.stringify(entered));
  }
  return write.call(this, chunk, ...rest);
};
`;
compileSources();
const traces = [
  await trace("complete_action", "story-bot", async (call) => {
    await call("story_bot", { inputs: { wish: "a tea shop that people find" } });
    await call("complete_action", {
      outputs: { users: "Guests of a tea shop" },
      confirmation: "Yes, that is what we talked about",
    });
  }),
  await trace("complete_phase", "test-generation", async (call) => {
    const { session_id } = await call("start_workflow", { workflow_type: "test-generation", target_file: "src/a.ts" });
    const evidence = {
      function_count: 21,
      method_count: 15,
      branch_count: 36,
      ast_command_output: "def compile()...",
      functions_list: ["compile", "parse"],
    };
    const { checkpoint_passed } = await call("complete_phase", { session_id, phase: 1, evidence });
    if (checkpoint_passed !== true)
      throw new Error("the phase was not passed: the evidence of this script is out of date");
  }),
];
for (const { tool, entered } of traces) report(tool, entered);

function report(tool, entered) {
  const files = new Map();
  for (const file of entered) files.set(file, (files.get(file) ?? 0) + 1);
  const stretches = entered.filter((file, index) => index === 0 || roomOf(file) !== roomOf(entered[index - 1]));
  console.log(
    `${tool}: ${files.size} files, ${stretches.length - 1} changes of room, ${entered.length} functions entered`,
  );
  const names = [...files.keys()].sort();
  for (const room of new Set(names.map(roomOf))) {
    const own = names.filter((name) => roomOf(name) === room);
    console.log(`  ${room} (${own.length})`);
    for (const name of own) console.log(`    ${name} ×${files.get(name)}`);
  }
  if (showsSteps) console.log(`  the way: ${stretches.map(roomOf).join(" → ")}`);
  console.log("");
}

function roomOf(file) {
  return file.split("/")[0];
}

/** Walks a project made from a template, and gives what the last call of this tool passed. */
async function trace(tool, template, walk) {
  const root = mkdtempSync(join(tmpdir(), "waymark-trace-"));
  const out = join(root, "trace.json");
  cpSync(join(home, "templates", template), join(root, ".waymark"), { recursive: true });
  const client = new Client({ name: "trace", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ["--import", join(built, "recorder.mjs"), join(built, "src/cli/main.js"), "serve", "--root", root],
      env: { ...process.env, WAYMARK_TRACE: out, WAYMARK_TRACED_TOOL: tool },
    }),
  );
  await walk(async (name, args) => {
    const result = await client.callTool({ name, arguments: args });
    if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.structuredContent)}`);
    return result.structuredContent;
  });
  await client.close();
  const entered = JSON.parse(readFileSync(out, "utf8"));
  rmSync(root, { recursive: true });
  return { tool, entered };
}

/** Compiles every source by itself, each function reporting its file when it is entered. */
function compileSources() {
  rmSync(built, { recursive: true, force: true });
  const sources = readdirSync(join(home, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => file.split(sep).join("/"));
  for (const file of sources) {
    const text = readFileSync(join(home, "src", file), "utf8");
    const { outputText } = ts.transpileModule(text, {
      fileName: file,
      compilerOptions: {
        target: ts.ScriptTarget.ES2023,
        module: ts.ModuleKind.ESNext,
        verbatimModuleSyntax: true,
      },
      transformers: { before: [reporting(file)] },
    });
    const target = join(built, "src", file.replace(/\.ts$/, ".js"));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, outputText.replace(/((?:from|import) ?\(?"\.[^"]*)\.ts"/g, '$1.js"'));
  }
  for (const name of ["package.json", "templates", "schemas"])
    cpSync(join(home, name), join(built, name), { recursive: true });
  writeFileSync(join(built, "recorder.mjs"), recorder);
}

/** Puts a report in front of what every function of a file does. */
function reporting(file) {
  return (context) => {
    const { factory } = context;
    const call = () =>
      factory.createCallExpression(factory.createIdentifier("__entered"), undefined, [
        factory.createStringLiteral(file),
      ]);
    const visit = (node) => {
      const seen = ts.visitEachChild(node, visit, context);
      if (!ts.isFunctionLike(seen) || seen.body === undefined) return seen;
      const body = ts.isBlock(seen.body)
        ? factory.updateBlock(seen.body, [factory.createExpressionStatement(call()), ...seen.body.statements])
        : factory.createParenthesizedExpression(factory.createComma(call(), seen.body));
      return withBody(factory, seen, body);
    };
    return (source) => ts.visitNode(source, visit);
  };
}

function withBody(factory, node, body) {
  if (ts.isArrowFunction(node))
    return factory.updateArrowFunction(
      node,
      node.modifiers,
      node.typeParameters,
      node.parameters,
      node.type,
      node.equalsGreaterThanToken,
      body,
    );
  if (ts.isFunctionDeclaration(node))
    return factory.updateFunctionDeclaration(
      node,
      node.modifiers,
      node.asteriskToken,
      node.name,
      node.typeParameters,
      node.parameters,
      node.type,
      body,
    );
  if (ts.isFunctionExpression(node))
    return factory.updateFunctionExpression(
      node,
      node.modifiers,
      node.asteriskToken,
      node.name,
      node.typeParameters,
      node.parameters,
      node.type,
      body,
    );
  if (ts.isMethodDeclaration(node))
    return factory.updateMethodDeclaration(
      node,
      node.modifiers,
      node.asteriskToken,
      node.name,
      node.questionToken,
      node.typeParameters,
      node.parameters,
      node.type,
      body,
    );
  return node; // constructors and accessors: the class that has them is entered through a method
}
