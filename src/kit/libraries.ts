import { createRequire } from "node:module";

const load = createRequire(import.meta.url);

/** True for the bundle, where each library is a file of its own that is loaded only if needed. */
const isBuilt = !import.meta.url.endsWith(".ts");

/** Loads the YAML library, synchronously because definitions are read synchronously. */
export function yaml(): typeof import("yaml") {
  return load(isBuilt ? "./yaml.cjs" : "yaml");
}

/** Loads the library of patterns that never backtrack. */
export function re2(): typeof import("re2js") {
  return load(isBuilt ? "./re2js.cjs" : "re2js");
}
