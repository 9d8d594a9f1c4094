/** A name that nothing has: a glob that covers it covers every name. */
const anyName = "waymark-any-name";

/** True if globs cover a path or everything that could be in it; `compile` returns an object for an invalid glob, which matches nothing. */
export function globsCover(
  globs: readonly string[],
  path: string,
  compile: (glob: string) => ((path: string) => boolean) | object,
): boolean {
  const isMatch = (...parts: readonly string[]): boolean =>
    globs.some((glob) => {
      const matches = compile(glob);
      return typeof matches === "function" && matches(parts.filter((part) => part !== "").join("/"));
    });
  return (path !== "" && isMatch(path)) || (isMatch(path, anyName) && isMatch(path, anyName, anyName));
}
