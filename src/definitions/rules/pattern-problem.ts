import { re2 } from "../../kit/libraries.ts";

/** Explains, in RE2's words, why a pattern cannot be used; undefined if it can. */
export function findPatternProblem(pattern: string): string | undefined {
  if (pattern.length > 2_000) return "the pattern is longer than 2,000 characters";
  const { RE2JS } = re2();
  try {
    RE2JS.compile(RE2JS.translateRegExp(pattern));
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace("error parsing regexp: ", "") : String(error);
    return `the pattern /${pattern}/ is not a valid RE2 pattern (${reason}); RE2 has no lookaround and no backreferences`;
  }
}
