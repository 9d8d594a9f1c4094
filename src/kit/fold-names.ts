/** A name as the least strict file system sees it: without case, invisible characters, and trailing dots and blanks. */
export function foldName(name: string): string {
  const folded = name
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKC");
  return folded.replace(/:.*$/, "").replace(/[. ]+$/, "");
}

/** Applies this to every part of each path. */
export function foldPaths(paths: readonly string[], separator = "/"): readonly string[] {
  return paths.map((path) => path.split(separator).map(foldName).join(separator));
}
