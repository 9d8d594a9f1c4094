import { createRequire } from "node:module";

const load = createRequire(import.meta.url);

/** As built, each of these lies beside us in a file of its own: a server whose definitions need none of them starts without them. */
const isBuilt = !import.meta.url.endsWith(".ts");

/** The YAML library, loaded by whoever needs it first, and at once: what reads definitions does not wait for anything. */
export function yaml(): typeof import("yaml") {
  return load(isBuilt ? "./yaml.cjs" : "yaml");
}

/** The library of patterns that never backtrack, likewise. */
export function re2(): typeof import("re2js") {
  return load(isBuilt ? "./re2js.cjs" : "re2js");
}
