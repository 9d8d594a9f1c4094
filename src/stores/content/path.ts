/** Says why a path cannot name content, whatever stands on disk; undefined where it can. */
export function pathProblem(path: string): string | undefined {
  if (path === "") return "it is empty";
  if (path.length > 400) return "it is longer than 400 characters";
  if (/[\p{Cc}\p{Cs}]/u.test(path)) return "it has control characters";
  if (path.includes("\\")) return "it has a backslash; separate folders with /";
  if (path.startsWith("/") || /^[a-z]:/i.test(path)) return "it is not relative to the project area";
  const segments = path.split("/");
  for (const segment of segments) {
    const problem = segmentProblem(segment);
    if (problem !== undefined) return problem;
  }
  const top = segments.length === 1 ? asFileSystemsSee(path) : "";
  return fixedNames.includes(top) ? `${top} is written by Waymark alone` : undefined;
}

const fixedNames = ["workflow_state.json", "activity_log.json"];

function segmentProblem(segment: string): string | undefined {
  if (segment === "") return "it has an empty part";
  if (segment === "." || segment === "..") return `it has a ${segment} part`;
  if (asFileSystemsSee(segment).startsWith(".")) return "it names a dotfile or a dot-folder";
  return Buffer.byteLength(segment) > 255 ? "it has a part longer than 255 bytes" : undefined;
}

/** A name as the least discerning file system takes it: case, invisible characters, and dots and blanks at its end mean nothing. */
function asFileSystemsSee(name: string): string {
  const folded = name
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .toUpperCase()
    .toLowerCase();
  return folded.replace(/:.*$/, "").replace(/[. ]+$/, "");
}
