/** What one check finds in one file; without a line it is about the whole file. */
export type Finding = { readonly line?: number; readonly detail: string };

/** Why a check cannot be carried out; it then counts as broken, never as kept. */
export type Unusable = { readonly unusable: string };

/** The most findings that one check reports of one file. */
export const mostPerFile = 20;

/** Keeps the first findings and counts the rest, so that a bad file does not flood the answer. */
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
