import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";

/**
 * Joins the chunks that a start loads into one file each, because one file loads faster than dozens. `starts` maps the name of
 * such a file to the source of what it starts; what an earlier start has is shared with it. Each joined chunk stays as one line
 * that passes on what it exported.
 */
export async function mergeChunks(home, { outputs }, starts) {
  const taken = new Set();
  for (const [name, source] of Object.entries(starts)) {
    const entry = Object.keys(outputs).find((file) => outputs[file].entryPoint === source);
    if (entry === undefined) throw new Error(`The build has no entry for ${source}.`);
    const chunks = staticImportsOf(entry, outputs).filter((chunk) => !taken.has(chunk));
    for (const chunk of chunks) taken.add(chunk);
    await merge(home, name, chunks, outputs);
  }
}

/** The chunk and everything it imports before it runs, in one list. */
function staticImportsOf(chunk, outputs, found = new Set()) {
  if (found.has(chunk)) return [...found];
  found.add(chunk);
  for (const { kind, path } of outputs[chunk].imports)
    if (kind === "import-statement" && outputs[path] !== undefined) staticImportsOf(path, outputs, found);
  return [...found];
}

async function merge(home, name, chunks, outputs) {
  const folder = join(home, "dist");
  const file = `${name}.js`;
  const isInside = (path) => chunks.some((chunk) => basename(chunk) === basename(path));
  /** The names in the joined file of what each chunk exports; two chunks may export the same name. */
  const exported = chunks.map((chunk, at) => outputs[chunk].exports.map((own, index) => [own, `x${at}_${index}`]));
  const contents = chunks.flatMap((chunk, at) => [
    `import "./${basename(chunk)}";`,
    `export { ${exported[at].map(([own, given]) => `${own} as ${given}`).join(", ")} } from "./${basename(chunk)}";`,
  ]);
  await build({
    absWorkingDir: folder,
    stdin: { contents: contents.join("\n"), resolveDir: folder },
    outfile: file,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    minifySyntax: true,
    minifyWhitespace: true,
    treeShaking: false,
    logLevel: "warning",
    plugins: [
      {
        name: "leave the other chunks where they are",
        setup: ({ onResolve }) =>
          onResolve({ filter: /^\.\// }, ({ kind, path }) =>
            kind !== "dynamic-import" && isInside(path) ? undefined : { path, external: true },
          ),
      },
    ],
  });
  for (const [at, chunk] of chunks.entries()) {
    const names = exported[at].map(([own, given]) => `${given} as ${own}`).join(", ");
    writeFileSync(join(home, chunk), `export { ${names} } from "./${file}";\n`);
  }
}
