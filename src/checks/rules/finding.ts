/** A finding of one check in one file; without a line it is about the whole file. */
export type Finding = { readonly line?: number; readonly detail: string };

/** The reason a check cannot run; it then counts as broken. */
export type Unusable = { readonly unusable: string };

/** The most findings one check reports per file. */
export const mostPerFile = 20;

/** Keeps the first findings and counts the rest, so that a bad file does not flood the reply. */
export function collectFindings(): { add(finding: Finding): void; all(): Finding[] } {
  const kept: Finding[] = [];
  let total = 0;
  return {
    add(finding) {
      total += 1;
      if (kept.length < mostPerFile) kept.push(finding);
    },
    all: () => (total > kept.length ? [...kept, { detail: `and ${total - kept.length} more in this file` }] : kept),
  };
}
