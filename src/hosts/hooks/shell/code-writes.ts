/** Matches the names of Waymark's own files anywhere in a text. */
export const waymarkNames = /\.waymark|workflow_state|activity_log/i;

const own = String.raw`(?:\.waymark|workflow_state\.json|activity_log\.json)`;

/** Matches code that changes files, in the languages that interpreters take as text. */
const writing = new RegExp(
  [
    String.raw`\b(?:write|append(?:File|All)|unlink|copy|rename|truncate|symlink|chmod|mkdir|touch|remove|rmdir|rmtree|syswrite|fopen)\w*`,
    String.raw`\b(?:rm|rmSync|cp|cpSync|move|dump)\s*\(`,
    String.raw`\b(?:system|popen|subprocess|shutil|child_process|exec\w*|spawn\w*)\b`,
    String.raw`open\w*\s*\([^)]*,\s*(?:mode\s*=\s*)?['"][^'"]*[wax+]`,
    String.raw`open\b[^;\n]*['"]\s*\+?>`,
    String.raw`>\s*['"]`,
  ].join("|"),
  "i",
);

/** Matches a call that only reads one of Waymark's own files. */
const reading = new RegExp(
  String.raw`\b(?:open|read\w*|exists\w*|stat\w*|lstat\w*|access\w*|readdir\w*|listdir|scandir|glob\w*|isfile|isdir|getsize|require|load\w*|Path|slurp|file_get_contents|File\.read\w*)\s*\(\s*['"\x60][^'"\x60]*${own}[^'"\x60]*['"\x60]\s*(?:,\s*(?:encoding\s*=\s*)?['"](?:r|rb|rt|utf-?8)['"]\s*)*(?=\)(?!\s*\.\s*(?:write|unlink|touch|mkdir|rmdir|rename|open|symlink|chmod))|,\s*\{)`,
  "gi",
);

/** True if code seems to change Waymark's own files: it names one other than to read it, and writes files. */
export function changesWaymarkFiles(code: string): boolean {
  const rest = code.replaceAll(reading, "read(");
  return new RegExp(own, "i").test(rest) && writing.test(code);
}

/** The literal shell lines that code runs. */
export function shellLinesIn(code: string): readonly string[] {
  const call =
    /\b(?:system|popen|exec|execSync|spawnSync|run|call|check_call|check_output|getoutput)\s*\(\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/g;
  return [...code.matchAll(call)].map(([, , line = ""]) => line);
}

/** Example paths of Waymark's own files. */
const examples = [
  ".waymark",
  "workflow_state.json",
  "activity_log.json",
  "config.json",
  "journal.jsonl",
  "instructions.md",
  "gate-definition.yaml",
];

/** True if a name pattern could match Waymark's own files. */
export function mayMatchWaymarkFiles(pattern: string): boolean {
  const source = pattern
    .replaceAll(/[.+^${}()|\\]/g, "\\$&")
    .replaceAll("*", "[^/]*")
    .replaceAll("?", "[^/]");
  try {
    const matches = new RegExp(`^${source}$`, "i");
    return examples.some((name) => matches.test(name));
  } catch {
    return false;
  }
}
