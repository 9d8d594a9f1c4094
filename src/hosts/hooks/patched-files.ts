/** The files that a patch changes, in apply_patch or unified diff form. */
export function patchedFiles(patch: string): readonly string[] {
  const named = [...patch.matchAll(/^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm)];
  const differing = named.length > 0 ? [] : [...patch.matchAll(/^(?:---|\+\+\+) (?:[ab]\/)?([^\t\n]+)/gm)];
  const paths = [...named, ...differing].map(([, path = ""]) => path.trim());
  return [...new Set(paths.filter((path) => path !== "" && path !== "/dev/null"))];
}
