import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const patches = fileURLToPath(new URL("../patches", import.meta.url));

/**
 * Applies the files of `patches/` to the installed packages of a project; each says why, and where its authors are told. A package that
 * is missing or patched is skipped. Without a dependency, since this runs as soon as packages are there.
 */
export function patchPackages(home) {
  for (const name of readdirSync(patches)) {
    const patch = readFileSync(join(patches, name), "utf8");
    const [, file] = /^\+\+\+ b\/(\S+)$/m.exec(patch) ?? [];
    if (file === undefined) throw new Error(`patches/${name} names no file.`);
    const path = join(home, file);
    let text = read(path);
    if (text === undefined) continue;
    const before = text;
    for (const { wrong, right } of changesOf(patch)) {
      if (text.includes(right)) continue;
      if (!text.includes(wrong))
        throw new Error(`patches/${name} does not fit the installed package. Update the patch or pin the version.`);
      text = text.replace(wrong, () => right);
    }
    if (text !== before) writeFileSync(path, text);
  }
}

/** The text that each part of a unified diff replaces, and by what. */
function changesOf(patch) {
  return patch
    .split(/^@@ .* @@.*\n/m)
    .slice(1)
    .map((part) => {
      const lines = part.replace(/\n$/, "").split("\n");
      const without = (mark) => lines.filter((line) => !line.startsWith(mark)).map((line) => `${line.slice(1)}\n`);
      return { wrong: without("+").join(""), right: without("-").join("") };
    });
}

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
