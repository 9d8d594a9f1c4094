import { editDistance } from "../../kit/edit-distance.ts";

/** Finds the known name closest to a written one, ignoring case and separators. */
export function findNearMiss(written: string, known: readonly string[]): string | undefined {
  const wanted = comparable(written);
  if (wanted === "" || wanted.length > longest) return undefined;
  const most = wanted.length < 5 ? 1 : wanted.length < 12 ? 2 : 3;
  const near = known.map((name) => ({ name, letters: editDistance(comparable(name), wanted) }));
  return near.filter(({ letters }) => letters <= most).sort((a, b) => a.letters - b.letters)[0]?.name;
}

/** A "did you mean" hint for a misspelled or shortened name, or an empty text. */
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
