import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** From the lowest to the highest: each may look down, and none up. */
const folders = ["markdown", "requirements", "tasks"];

test.each(folders.map((folder, level) => [folder, level] as const))(
  "%s imports nothing from the folders above it",
  (folder, level) => {
    const place = join(import.meta.dirname, folder);
    const files = readdirSync(place).filter((file) => file.endsWith(".ts") && !file.includes(".test"));
    expect(files.length).toBeGreaterThan(2);
    const above = folders.slice(level + 1);
    const wrong = files.flatMap((file) =>
      [...readFileSync(join(place, file), "utf8").matchAll(/from "\.\.\/(\w+)\//g)]
        .map(([, target = ""]) => target)
        .filter((target) => above.includes(target))
        .map((target) => `${folder}/${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  },
);
