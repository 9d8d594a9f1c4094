/** A name that nothing has: a glob that covers it covers every name. */
const anyName = "waymark-any-name";

/** Compiles a glob; an invalid one returns an object and matches nothing. */
type Compile = (glob: string) => ((path: string) => boolean) | object;

/** True if globs cover a path or everything that could be in it; `chosen` limits this to such names, and unclear cases count as covered. */
export function globsCover(
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

/** The leading folders of a glob without wildcards. */
function foldersOf(glob: string): string {
  return glob
    .replace(/[*?[{].*$/s, "")
    .split("/")
    .slice(0, -1)
    .join("/");
}
