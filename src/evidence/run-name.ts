/** The longest name of a run, in characters. */
const mostCharacters = 64;

/** A run's name as it is kept: names that differ in case or Unicode form only are one. Undefined where it is none. */
export function runName(written: string): string | undefined {
  const name = written.normalize("NFKC").toLowerCase().normalize("NFC");
  if ([...written.normalize("NFC")].length > mostCharacters || !/^[\p{L}\p{M}\p{N}._/-]+$/u.test(name))
    return undefined;
  const isSound = name.split("/").every((part) => part !== "" && !part.startsWith(".") && !fixedFiles.includes(part));
  return isSound ? name : undefined;
}

/** What a run's name is made of, for whoever sent another. */
export const runNameRule = "letters, digits and ._-/, at most 64 characters, no part empty or beginning with a dot";

/** The files that show a run stand in a folder of its name, and so do those of the runs below it. */
const fixedFiles: readonly string[] = ["workflow_state.json", "activity_log.json"];

/** The name of the run of a work tree, after its branch or its folder: what a name cannot hold becomes a dash. */
export function runOfWorkTree(branchOrFolder: string): string {
  const plain = [...branchOrFolder.normalize("NFC")].map((sign) => (/[\p{L}\p{M}\p{N}._/-]/u.test(sign) ? sign : "-"));
  const parts = plain.slice(0, mostCharacters).join("").split("/");
  const sound = parts.filter((part) => part !== "").map((part) => part.replace(/^\./, "-"));
  return runName(sound.join("/")) ?? runName(sound.join("-")) ?? "work";
}
