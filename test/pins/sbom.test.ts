import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const home = join(import.meta.dirname, "../..");

type Component = { purl: string; group?: string; name: string; version: string; licenses: object[]; hashes?: object[] };

test("the build names every package that is bundled, with its version, hash and licence in full", () => {
  const bom = JSON.parse(readFileSync(join(home, "dist/sbom.cdx.json"), "utf8"));
  expect(bom).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6" });
  const components: Component[] = bom.components;
  const names = components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
  expect(new Set(components.map(({ purl }) => purl)).size).toBe(components.length);
  expect(bom.dependencies[0].dependsOn).toEqual(components.map(({ purl }) => purl));
  // the table of what is loaded at run time is written by hand
  const page = readFileSync(join(home, "docs/internal/dependencies.md"), "utf8");
  const [table = ""] = page.split(/^## For development/m);
  const listed = [...table.matchAll(/^\| ([@\w/., -]+?) +\|/gm)].flatMap(([, cell = ""]) => cell.split(", "));
  const bundled = listed.filter((name) => /^@?[a-z]/.test(name) && name !== "package");
  expect(bundled.length).toBeGreaterThan(15);
  expect(bundled.filter((name) => !names.includes(name))).toEqual([]);
  const texts = readFileSync(join(home, "dist/licenses.txt"), "utf8");
  for (const [at, { version, licenses, hashes }] of components.entries()) {
    expect([names[at], licenses.length, hashes?.length]).toEqual([names[at], 1, 1]);
    expect(texts).toContain(`${names[at]} ${version} (`);
  }
  const patched = components.find(({ name }) => name === "postgres");
  expect(patched).toMatchObject({ pedigree: { patches: [{ diff: { url: "patches/postgres+3.4.9.patch" } }] } });
});
