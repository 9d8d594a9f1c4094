import { re2 } from "../../kit/libraries.ts";
import type { Unusable } from "./finding.ts";

const longestGlob = 200;

/**
 * Compiles a glob over `/`-separated paths: `*`, `?`, `**`, `[abc]`, `{a,b}`; without a slash it matches the file name in any folder;
 * hidden files match only if named or asked for.
 */
export function compileGlob(glob: string, matching?: "hidden files too"): ((path: string) => boolean) | Unusable {
  if (glob.length > longestGlob) return { unusable: `its glob is longer than ${longestGlob} characters` };
  const plain = glob.replace(/^\.\//, "");
  const pattern = globPattern(plain);
  const unusable = `its glob ${JSON.stringify(glob)} is not supported`;
  if (pattern === undefined) return { unusable };
  const seesHidden = matching !== undefined || /(^|[/{,])\./.test(plain);
  try {
    // RE2, because the native patterns of the usual matchers take minutes over a glob such as *a*a*a*a*a*b.
    const compiled = re2().RE2JS.compile(pattern);
    return (path) => (seesHidden || !/(^|\/)\./.test(path)) && compiled.matches(path);
  } catch {
    return { unusable };
  }
}

function globPattern(glob: string): string | undefined {
  if (glob === "" || glob.startsWith("!") || glob.startsWith("/") || /[\\@+!*?]\(|\\/.test(glob)) return undefined;
  let pattern = glob.includes("/") ? "" : "(?:.*/)?";
  let braces = 0;
  for (let at = 0; at < glob.length; at++) {
    const char = glob.charAt(at);
    const isSegmentStart = at === 0 || glob.charAt(at - 1) === "/";
    if (isSegmentStart && glob.startsWith("**/", at)) {
      pattern += "(?:.*/)?";
      at += 2;
    } else if (isSegmentStart && glob.slice(at) === "**") {
      pattern += ".+";
      at += 1;
    } else if (char === "*") {
      pattern += "[^/]*";
    } else if (char === "?") {
      pattern += "[^/]";
    } else if (char === "[") {
      const end = glob.indexOf("]", at + 2);
      const members = glob.slice(at + 1, end);
      if (end === -1 || /[/[\]]/.test(members)) return undefined;
      pattern += `[${members.replace(/^!/, "^")}]`;
      at = end;
    } else if (char === "{") {
      braces += 1;
      pattern += "(?:";
    } else if (char === "}" && braces > 0) {
      braces -= 1;
      pattern += ")";
    } else if (char === "," && braces > 0) {
      pattern += "|";
    } else {
      pattern += re2().RE2JS.quote(char);
    }
  }
  return braces === 0 ? `(?s)${pattern}` : undefined;
}
