// Imported before the server by `npm run trace`. For every tool call it writes down the files whose functions were entered
// and the file system calls under the definitions folder, from the arrival of the call to its answer.
import fs from "node:fs";
import { register, syncBuiltinESMExports } from "node:module";
import { resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const { WAYMARK_TRACE: out, WAYMARK_TRACED_DEFINITIONS: definitions } = process.env;
const { appendFileSync } = fs;
register("./trace-loader.mjs", import.meta.url);

/** The call under way; undefined between two calls. */
let call;
/** When the last call was answered. */
let answeredAt = 0;
globalThis.__entered = (file) => void call?.entered.push(file);

function note(name, path) {
  if (call === undefined) return;
  const text = path instanceof URL ? fileURLToPath(path) : Buffer.isBuffer(path) ? path.toString() : path;
  if (typeof text !== "string") return; // a descriptor: its file was counted when it was opened
  const full = resolve(text);
  // The folder itself is looked at to keep content out of it: that asks nothing about definitions.
  if (full.startsWith(definitions + sep)) call.reads.push(`${name} ${full.slice(definitions.length + 1)}`);
}

/** Every function that asks the file system about a path. */
const asking = ["access", "exists", "lstat", "open", "opendir", "readFile", "readdir", "readlink", "realpath", "stat"];

function watch(object, name) {
  const asked = object[name];
  if (typeof asked !== "function") return;
  object[name] = Object.assign(function (path, ...rest) {
    note(name, path);
    return asked.call(this, path, ...rest);
  }, asked);
}
for (const name of asking) {
  watch(fs.promises, name);
  watch(fs, name);
  watch(fs, `${name}Sync`);
}
watch(fs.realpath, "native");
watch(fs.realpathSync, "native");
syncBuiltinESMExports();

const { emit } = process.stdin;
process.stdin.emit = function (event, chunk, ...rest) {
  if (event === "data")
    for (const line of String(chunk)
      .split("\n")
      .filter((one) => one.includes('"tools/call"'))) {
      const { id, params } = JSON.parse(line);
      call = { id, tool: params.name, entered: [], reads: [] };
    }
  return emit.call(this, event, chunk, ...rest);
};
const { write } = process.stdout;
process.stdout.write = function (chunk, ...rest) {
  const ended = call;
  if (ended !== undefined && String(chunk).includes('"result"') && JSON.parse(String(chunk)).id === ended.id) {
    call = undefined;
    const now = performance.now();
    appendFileSync(out, `${JSON.stringify({ ...ended, since: now - answeredAt })}\n`);
    answeredAt = now;
  }
  return write.call(this, chunk, ...rest);
};
