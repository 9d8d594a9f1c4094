import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Writes what is bundled into `dist/`: a software bill of materials (CycloneDX 1.6) and the licence of every package. `files` are the
 * paths of all bundled sources. Both are the same for the same sources, so that builds can be compared.
 */
export function writeSbom(home, files) {
  const folders = new Set(files.flatMap((file) => packageFolder(file.replaceAll("\\", "/")) ?? []));
  const read = [...folders].map((folder) => readPackage(home, folder));
  // a version may be installed twice
  const packages = [...new Map(read.map((one) => [one.ref, one])).values()].sort((a, b) => (a.ref < b.ref ? -1 : 1));
  const own = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const root = `pkg:npm/${own.name}@${own.version}`;
  const bom = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": root,
        name: own.name,
        version: own.version,
        licenses: [{ license: { id: own.license } }],
        purl: root,
      },
    },
    components: packages.map(({ component }) => component),
    dependencies: [{ ref: root, dependsOn: packages.map(({ ref }) => ref) }],
  };
  writeFileSync(join(home, "dist/sbom.cdx.json"), `${JSON.stringify(bom, null, 2)}\n`);
  const texts = packages.map(({ title, license, text }) => `${title} (${license})\n\n${text.trim()}\n`);
  writeFileSync(join(home, "dist/licenses.txt"), texts.join(`\n${"-".repeat(80)}\n\n`));
}

/** The folder of the package that a file belongs to; undefined for our own files. */
function packageFolder(file) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0].replace(/^.*?(?=node_modules\/)/, "");
}

function readPackage(home, folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(home, folder, "package.json"), "utf8"));
  const ref = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const [group, short] = name.startsWith("@") ? name.split("/") : [undefined, name];
  const text = licenseText(home, folder, license);
  if (typeof license !== "string" || text === undefined)
    throw new Error(`${name} ${version} is bundled, and says nothing about its licence.`);
  const patch = `patches/${name.replace("/", "+")}+${version}.patch`;
  return {
    ref,
    title: `${name} ${version}`,
    license,
    text,
    component: {
      type: "library",
      "bom-ref": ref,
      ...(group === undefined ? {} : { group }),
      name: short,
      version,
      licenses: [/^[\w.+-]+$/.test(license) ? { license: { id: license } } : { expression: license }],
      purl: ref,
      ...hashOf(home, folder),
      ...(existsSync(join(home, patch))
        ? { pedigree: { patches: [{ type: "unofficial", diff: { url: patch } }] } }
        : {}),
    },
  };
}

/** The hash of the package as the registry has it. */
function hashOf(home, folder) {
  const { packages } = JSON.parse(readFileSync(join(home, "package-lock.json"), "utf8"));
  const [, digest] = /^sha512-(.+)$/.exec(packages[folder]?.integrity ?? "") ?? [];
  if (digest === undefined) return {};
  return { hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }] };
}

/** The licence files of a package; where it has none, the text of the licence that it names. */
function licenseText(home, folder, license) {
  const names = readdirSync(join(home, folder)).filter((name) => /^(licen[sc]e|copying|notice|unlicense)/i.test(name));
  if (names.length > 0) return names.map((name) => readFileSync(join(home, folder, name), "utf8")).join("\n");
  const known = join(home, "scripts/licenses", `${license}.txt`);
  return existsSync(known) ? readFileSync(known, "utf8") : undefined;
}
