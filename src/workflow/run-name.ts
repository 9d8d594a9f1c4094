/** The limits of a run's name; it is part of a file name, hence the bytes. */
const most = { characters: 64, bytes: 200 };

/** Normalizes a run's name: case and Unicode form do not matter; undefined if it is invalid. */
export function runName(written: string): string | undefined {
  const name = folded(written);
  if (!/^[\p{L}\p{M}\p{N}._/-]+$/u.test(name) || cut(name) !== name) return undefined;
  const isSound = name.split("/").every((part) => part !== "" && !part.startsWith(".") && !fixedFiles.includes(part));
  return isSound ? name : undefined;
}

/** The rule for run names, for messages. */
export const runNameRule =
  "letters, digits and ._-/, at most 64 characters (and 200 bytes), no part empty or beginning with a dot";

/** A run's files are in a folder of its name, and so are those of runs below it. */
const fixedFiles: readonly string[] = ["workflow_state.json", "activity_log.json"];

/** The run name of a work tree, from its branch or folder; invalid characters become dashes. */
export function runOfWorkTree(branchOrFolder: string): string {
  const plain = [...folded(branchOrFolder)].map((sign) => (/[\p{L}\p{M}\p{N}._/-]/u.test(sign) ? sign : "-")).join("");
  const parts = cut(plain).split("/");
  const sound = parts.flatMap((part) => (part === "" ? [] : [soundPart(part)]));
  return runName(sound.join("/")) ?? "work";
}

function soundPart(part: string): string {
  return fixedFiles.includes(part) ? part.replaceAll(".", "-") : part.replace(/^\./, "-");
}

/** Truncates a name to the limits. */
function cut(name: string): string {
  const signs = [...name].slice(0, most.characters);
  while (new TextEncoder().encode(signs.join("")).length > most.bytes) signs.pop();
  return signs.join("");
}

/** Folds case and Unicode form; repeats until nothing changes, since each can trigger the other. */
function folded(text: string): string {
  const next = [...text.normalize("NFKC")].map(lower).join("").normalize("NFC");
  return next === text ? text : folded(next);
}

/** Per character: a final Greek sigma is the same letter. */
function lower(sign: string): string {
  return sign === "ς" ? "σ" : sign.toLowerCase();
}
