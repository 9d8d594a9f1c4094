import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Mends what is wrong in packages that we build in, until their authors do (docs/dependencies.md says what and why).
 * postgres 3.4.9: a statement that is sent on a connection which was closed in the same moment ends the whole process
 * ("Cannot read properties of null"); it fails as on any connection that is closed, and is sent again.
 */
const mends = [
  {
    file: "postgres/src/connection.js",
    wrong: "    const x = socket.write(chunk, fn)\n",
    right:
      "    if (socket === null) {\n      chunk = nextWriteTimer = null\n      error(Errors.connection('CONNECTION_CLOSED', options))\n      return true\n    }\n    const x = socket.write(chunk, fn)\n",
  },
];

/** Mends the packages that were installed in a project; one that is mended, or not there, is left as it is. */
export function mendPackages(home) {
  for (const { file, wrong, right } of mends) {
    const path = join(home, "node_modules", file);
    const text = read(path);
    if (text === undefined || text.includes(right)) continue;
    if (!text.includes(wrong))
      throw new Error(`${file} is another version than the one that scripts/mend-packages.mjs mends.`);
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
