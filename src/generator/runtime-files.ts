import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { type Files, inOrder } from "./files.ts";

/** The code of `waymark serve` and `waymark hook`, and the files that export them. */
export type Runtime = { readonly files: Files; readonly serve: string; readonly hook: string };

/** Collects the files of a build that serving needs, including lazily loaded ones. */
export function collectRuntime(build: string): Runtime {
  const command = join(build, "waymark.js");
  // The commands are in their own file, which a hook does not load.
  const begun = readFileSync(command, "utf8");
  const [, commands = "waymark.js"] = /\bimport\("\.\/(program-[A-Z0-9]+\.js)"\)/.exec(begun) ?? [];
  const [, serve] = /\bimport\("\.\/(serve-[A-Z0-9]+\.js)"\)/.exec(readFileSync(join(build, commands), "utf8")) ?? [];
  if (serve === undefined) throw new Error(`${command} is not a build of Waymark: it has no entry for serving.`);
  const [, hook] = /\bimport\("\.\/(hook-[A-Z0-9]+\.js)"\)/.exec(begun) ?? [];
  if (hook === undefined) throw new Error(`${command} is not a build of Waymark: it has no entry for hooks.`);
  const files = new Map<string, Uint8Array>();
  for (const file of [serve, hook]) collect(build, file, files);
  for (const file of readdirSync(join(build, page), { recursive: true, withFileTypes: true }))
    if (file.isFile()) {
      const path = relative(build, join(file.parentPath, file.name)).replaceAll("\\", "/");
      files.set(path, readFileSync(join(build, path)));
    }
  files.set("licenses.txt", readFileSync(join(build, "licenses.txt")));
  files.set("LICENSE", readFileSync(join(dirname(build), "LICENSE")));
  return { files: inOrder(files), serve, hook };
}

/** The folder of the approval page. */
const page = "page";

/** Matches the bundler's imports: named, for side effects, re-exports and dynamic; and programs in their own files. */
const imports =
  /\b(?:from|import)\s*\(?\s*"(\.{1,2}\/[\w./-]+\.js)"|"(\.\/(?:[\w-]+\.cjs|(?:supervise|stat-thread)\.js))"/g;

function collect(build: string, file: string, files: Map<string, Uint8Array>): void {
  if (files.has(file)) return;
  const bytes = readFileSync(join(build, file));
  files.set(file, bytes);
  for (const [, imported, library = imported] of bytes.toString("utf8").matchAll(imports)) {
    collect(build, posix.join(posix.dirname(file), imported ?? library ?? ""), files);
  }
}
