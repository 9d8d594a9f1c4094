import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { type Files, inOrder } from "./files.ts";

/** The code that `waymark serve` and `waymark hook` run, and the files of it that export these. */
export type Runtime = { readonly files: Files; readonly serve: string; readonly hook: string };

/** Collects from a build of Waymark the files that serving needs, lazily loaded ones among them, and nothing else. */
export function collectRuntime(build: string): Runtime {
  const command = join(build, "waymark.js");
  // The commands stand in a file of their own: a hook does not load them.
  const begun = readFileSync(command, "utf8");
  const [, commands = "waymark.js"] = /\bimport\("\.\/(program-[A-Z0-9]+\.js)"\)/.exec(begun) ?? [];
  const [, serve] = /\bimport\("\.\/(serve-[A-Z0-9]+\.js)"\)/.exec(readFileSync(join(build, commands), "utf8")) ?? [];
  if (serve === undefined) throw new Error(`${command} is no build of Waymark: it does not say where serving begins.`);
  const [, hook] = /\bimport\("\.\/(hook-[A-Z0-9]+\.js)"\)/.exec(begun) ?? [];
  if (hook === undefined) throw new Error(`${command} is no build of Waymark: it does not say what answers hooks.`);
  const files = new Map<string, Uint8Array>();
  for (const file of [serve, hook]) collect(build, file, files);
  for (const file of readdirSync(join(build, page), { recursive: true, withFileTypes: true }))
    if (file.isFile()) {
      const path = relative(build, join(file.parentPath, file.name)).replaceAll("\\", "/");
      files.set(path, readFileSync(join(build, path)));
    }
  files.set("LICENSE", readFileSync(join(dirname(build), "LICENSE")));
  return { files: inOrder(files), serve, hook };
}

/** The folder of the page on which people approve. */
const page = "page";

/**
 * Matches how the bundler writes imports: of names, for their effect, passed on, and loaded when needed; and what is in a file
 * of its own: libraries, and the programs that supervise a check and look at many files.
 */
const imports =
  /\b(?:from|import)\s*\(?\s*"(\.{1,2}\/[\w./-]+\.js)"|"(\.\/(?:[\w-]+\.cjs|(?:supervise|look-thread)\.js))"/g;

function collect(build: string, file: string, files: Map<string, Uint8Array>): void {
  if (files.has(file)) return;
  const bytes = readFileSync(join(build, file));
  files.set(file, bytes);
  const notices = `${file}.LEGAL.txt`;
  if (existsSync(join(build, notices))) files.set(notices, readFileSync(join(build, notices)));
  for (const [, imported, library = imported] of bytes.toString("utf8").matchAll(imports)) {
    collect(build, posix.join(posix.dirname(file), imported ?? library ?? ""), files);
  }
}
