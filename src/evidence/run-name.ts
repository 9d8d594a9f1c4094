/** The longest name of a run: in characters, and in bytes, since it is part of the name of a file. */
const most = { characters: 64, bytes: 200 };

/** A run's name as it is kept: names that differ in case or Unicode form only are one. Undefined where it is none. */
export function runName(written: string): string | undefined {
  const name = folded(written);
  if (!/^[\p{L}\p{M}\p{N}._/-]+$/u.test(name) || cut(name) !== name) return undefined;
  const isSound = name.split("/").every((part) => part !== "" && !part.startsWith(".") && !fixedFiles.includes(part));
  return isSound ? name : undefined;
}

/** What a run's name is made of, for whoever sent another. */
export const runNameRule =
  "letters, digits and ._-/, at most 64 characters (and 200 bytes), no part empty or beginning with a dot";

/** The files that show a run stand in a folder of its name, and so do those of the runs below it. */
const fixedFiles: readonly string[] = ["workflow_state.json", "activity_log.json"];

/** The name of the run of a work tree, after its branch or its folder: what a name cannot hold becomes a dash. */
export function runOfWorkTree(branchOrFolder: string): string {
  const plain = [...folded(branchOrFolder)].map((sign) => (/[\p{L}\p{M}\p{N}._/-]/u.test(sign) ? sign : "-")).join("");
  const parts = cut(plain).split("/");
  const sound = parts.flatMap((part) => (part === "" ? [] : [soundPart(part)]));
  return runName(sound.join("/")) ?? "work";
}

function soundPart(part: string): string {
  return fixedFiles.includes(part) ? part.replaceAll(".", "-") : part.replace(/^\./, "-");
}

/** As much of a name as may be kept. */
function cut(name: string): string {
  const signs = [...name].slice(0, most.characters);
  while (new TextEncoder().encode(signs.join("")).length > most.bytes) signs.pop();
  return signs.join("");
}

/** One text for all that differ in case or Unicode form only. Folding one can give the other something to do, so both go on until nothing changes. */
function folded(text: string): string {
  const next = [...text.normalize("NFKC")].map(lower).join("").normalize("NFC");
  return next === text ? text : folded(next);
}

/** Sign by sign: the Greek sigma at the end of a word is the same letter. */
function lower(sign: string): string {
  return sign === "ς" ? "σ" : sign.toLowerCase();
}
