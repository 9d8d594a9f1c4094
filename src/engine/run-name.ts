/** The longest name of a run. */
const mostCharacters = 64;

/** A run's name as it is kept: names that differ in case or Unicode form only are one. Undefined where it is none. */
export function runName(written: string): string | undefined {
  const name = written.normalize("NFC");
  if ([...name].length > mostCharacters || !/^[\p{L}\p{N}._/-]+$/u.test(name)) return undefined;
  const isSound = name.split("/").every((part) => part !== "" && !part.startsWith("."));
  return isSound ? name.normalize("NFKC").toLowerCase().normalize("NFC") : undefined;
}

/** The name of the run of a work tree: its branch, or its folder; what a name cannot hold becomes a dash. */
export function runOfWorkTree(branchOrFolder: string): string {
  const plain = [...branchOrFolder.normalize("NFC")].map((sign) => (/[\p{L}\p{N}._/-]/u.test(sign) ? sign : "-"));
  const parts = plain.slice(0, mostCharacters).join("").split("/");
  const sound = parts.map((part) => part.replace(/^\.+/, "-")).filter((part) => part !== "");
  return runName(sound.join("/")) ?? "work";
}
