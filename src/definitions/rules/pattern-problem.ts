import { re2 } from "../../libraries.ts";

/** Says why a pattern cannot be used, in the words of RE2, which will search with it; undefined where it can. */
export function findPatternProblem(pattern: string): string | undefined {
  if (pattern.length > 2_000) return "the pattern is longer than 2,000 characters";
  const known = judged.get(pattern);
  if (known !== undefined) return known.problem;
  const problem = tryOut(pattern);
  if (judged.size >= 1_000) judged.clear();
  judged.set(pattern, { problem });
  return problem;
}

/** Rules are read anew at each use; what was found out about a pattern stays true. */
const judged = new Map<string, { readonly problem: string | undefined }>();

function tryOut(pattern: string): string | undefined {
  const { RE2JS } = re2();
  try {
    RE2JS.compile(RE2JS.translateRegExp(pattern));
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace("error parsing regexp: ", "") : String(error);
    return `the pattern /${pattern}/ is not one that RE2 understands (${reason}); lookaround and backreferences do not exist there`;
  }
}
