import { join } from "node:path";
import { listFolder } from "../folder.ts";

/** Where the gate file of a phase stands whose workflow is one Markdown file: in a folder of the file's name. */
export function gatesBeside(file: string, number: number): string {
  return join(file.slice(0, -".md".length), "phases", String(number));
}

/** Tells whether a folder among the workflows holds nothing but the gate files of the Markdown file of its name. */
export function isGatesFolder(folder: string, files: readonly string[], name: string): boolean {
  const isFile = files.some((file) => file.toLowerCase() === `${name.toLowerCase()}.md`);
  const inside = listFolder(folder);
  if (!isFile || inside.files.length > 0 || !inside.folders.includes("phases")) return false;
  const phases = join(folder, "phases");
  return listFolder(phases).folders.every((one) =>
    listFolder(join(phases, one)).files.every((file) => !file.toLowerCase().endsWith(".md")),
  );
}
