/** A name that nobody has given to anything: what covers it covers every name. */
const anyName = "waymark-any-name";

/** How globs are understood; one that is not matches nothing. */
type Compile = (glob: string) => ((path: string) => boolean) | object;

/**
 * Whether globs cover a path: it matches one, or everything that could stand in it does. With `chosen`, only what has such a
 * name in it is meant; where only a look at the files could tell, it is taken to be covered.
 */
export function covers(
  globs: readonly string[],
  way: string,
  { compile, chosen }: { readonly compile: Compile; readonly chosen?: readonly string[] | undefined },
): boolean {
  const isMatch = (path: string): boolean =>
    globs.some((glob) => {
      const matches = compile(glob);
      return typeof matches === "function" && matches(path);
    });
  const areBelow = (name: string): boolean => [[name], [anyName, name]].every((parts) => isMatch(below(way, ...parts)));
  if ((way !== "" && isMatch(way)) || areBelow(anyName)) return true;
  if (chosen === undefined) return false;
  const isNamed = chosen.length > 0 && chosen.every((name) => areBelow(name.replaceAll(/[*?]+|\[[^\]]*\]/g, anyName)));
  return isNamed || globs.some((glob) => way === "" || `${foldersOf(glob)}/`.startsWith(`${way}/`));
}

function below(way: string, ...parts: readonly string[]): string {
  return [...(way === "" ? [] : [way]), ...parts].join("/");
}

/** The folders that a glob names as they are. */
function foldersOf(glob: string): string {
  return glob
    .replace(/[*?[{].*$/s, "")
    .split("/")
    .slice(0, -1)
    .join("/");
}
