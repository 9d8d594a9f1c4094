import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Patches for packages that we bundle, until their authors fix them (docs/dependencies.md says which and why).
 * postgres 3.4.9: a statement sent on a connection that closes in the same moment ends the whole process
 * ("Cannot read properties of null"). With the patch it fails as on any closed connection, and the store sends it again.
 */
const patches = [
  {
    file: "postgres/src/connection.js",
    wrong: "    const x = socket.write(chunk, fn)\n",
    right:
      "    if (socket === null) {\n      chunk = nextWriteTimer = null\n      error(Errors.connection('CONNECTION_CLOSED', options))\n      return true\n    }\n    const x = socket.write(chunk, fn)\n",
  },
];

/** Patches the installed packages of a project; skips one that is patched or missing. */
export function patchPackages(home) {
  for (const { file, wrong, right } of patches) {
    const path = join(home, "node_modules", file);
    const text = read(path);
    if (text === undefined || text.includes(right)) continue;
    if (!text.includes(wrong))
      throw new Error(
        `scripts/patch-packages.mjs does not fit the installed version of ${file}. Update the patch or pin the version.`,
      );
    writeFileSync(
      path,
      text.replace(wrong, () => right),
    );
  }
}

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
