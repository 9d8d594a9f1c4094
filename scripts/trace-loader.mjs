// Module hooks of `npm run trace`: loads src/*.ts as it is, with a call of `__entered` in front of every function body.
// Caches each transformed file by its content under node_modules/.cache.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { home } from "./set-up.mjs";

const sources = process.env.WAYMARK_TRACED_SOURCES + sep;
const cache = join(home, "node_modules/.cache/waymark-trace");
/** Change it with what `instrument` writes. */
const format = "1";

/** Loads a source file with its reports; leaves every other module alone. */
export async function load(url, context, next) {
  if (!url.startsWith("file:") || !url.endsWith(".ts")) return next(url, context);
  const path = fileURLToPath(url);
  if (!path.startsWith(sources)) return next(url, context);
  const file = relative(sources, path).split(sep).join("/");
  return { format: "module", shortCircuit: true, source: await instrumented(file, readFileSync(path, "utf8")) };
}

async function instrumented(file, text) {
  const kept = join(cache, `${createHash("sha256").update(`${format}\n${file}\n${text}`).digest("hex")}.js`);
  try {
    return readFileSync(kept, "utf8");
  } catch {
    const made = await instrument(file, text);
    mkdirSync(cache, { recursive: true });
    writeFileSync(`${kept}.${process.pid}`, made);
    renameSync(`${kept}.${process.pid}`, kept);
    return made;
  }
}

/** Puts the reports in by position and has esbuild strip the types. */
async function instrument(file, text) {
  const [{ default: ts }, { transform }] = await Promise.all([import("typescript"), import("esbuild")]);
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const report = `__entered(${JSON.stringify(file)})`;
  const insertions = [];
  const visit = (node) => {
    ts.forEachChild(node, visit);
    // Constructors and accessors do not count: a class is entered through its methods.
    if (!isCounted(ts, node) || node.body === undefined) return;
    const { body } = node;
    if (ts.isBlock(body)) insertions.push([body.getStart(source) + 1, `${report};`]);
    else insertions.push([body.getStart(source), `(${report}, `], [body.getEnd(), ")"]);
  };
  visit(source);
  let result = text;
  // From the end; of two at one place the one found last is first in the text.
  const ordered = insertions
    .map(([at, put], index) => ({ at, put, index }))
    .sort((a, b) => b.at - a.at || a.index - b.index);
  for (const { at, put } of ordered) result = result.slice(0, at) + put + result.slice(at);
  const { code } = await transform(result, { loader: "ts", format: "esm", target: "esnext", sourcefile: file });
  return code;
}

function isCounted(ts, node) {
  return (
    ts.isArrowFunction(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isMethodDeclaration(node)
  );
}
