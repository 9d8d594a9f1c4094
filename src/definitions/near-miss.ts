import { differingLetters } from "../evidence/differing-letters.ts";

/** Finds the name that was most likely meant: the same but for case and separators, or a few letters away. */
export function findNearMiss(written: string, known: readonly string[]): string | undefined {
  const wanted = comparable(written);
  if (wanted === "" || wanted.length > longest) return undefined;
  const most = wanted.length < 5 ? 1 : wanted.length < 12 ? 2 : 3;
  const near = known.map((name) => ({ name, letters: differingLetters(comparable(name), wanted) }));
  return near.filter(({ letters }) => letters <= most).sort((a, b) => a.letters - b.letters)[0]?.name;
}

/** Says which name was most likely meant, a shortened one among them; or nothing. */
export function didYouMean(written: string, known: readonly string[]): string {
  const wanted = comparable(written);
  const longer = wanted.length < 4 ? undefined : known.find((name) => comparable(name).startsWith(wanted));
  const near = findNearMiss(written, known) ?? longer;
  return near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
}

const longest = 60;

function comparable(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");
}
