/** Whether a cell says that its field is required; undefined where it says something else. */
export function requirednessIn(cell: string): boolean | undefined {
  const word = cell
    .trim()
    .toLowerCase()
    .replaceAll(/(?:[*.!]|\ufe0f)+$/gu, "")
    .replace(/^\((.*)\)$/, "$1");
  if (yes.has(word)) return true;
  return no.has(word) ? false : undefined;
}

/** Tells whether a cell says whether its field is required. */
export function isRequiredness(cell: string): boolean {
  return requirednessIn(cell) !== undefined;
}

/** Tells whether a cell is only a mark, so that an empty one beside it means no. */
export function isMark(cell: string): boolean {
  return /^(?:✅|✓|✔|☑|x|●|•|\*|yes|y)️?$/iu.test(cell.trim());
}

const yes = new Set([
  ..."yes y true required mandatory must always ✅ ✓ ✔ ☑ x 1 m r req shall should obligatory compulsory ● •".split(" "),
  "must have",
  "✅ yes",
  "yes ✅",
]);
const no = new Set([
  ..."no n false optional opt never ❌ ✗ ✘ ☐ ⬜ - – — 0 o could may recommended conditional ○".split(" "),
  "nice to have",
  "nice-to-have",
  "if applicable",
  "when applicable",
  "not required",
  "❌ no",
  "no ❌",
]);
