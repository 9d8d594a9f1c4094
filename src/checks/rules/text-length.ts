import type { Finding } from "./finding.ts";

type Unit = "lines" | "words" | "characters";

/** Finds a text that is longer than its limit. */
export function findExcess(text: string, unit: Unit, limit: number): Finding[] {
  const length = lengthOf(text, unit);
  return length > limit ? [{ detail: `${length} ${unit}, at most ${limit} allowed` }] : [];
}

function lengthOf(text: string, unit: Unit): number {
  switch (unit) {
    case "lines":
      return text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
    case "words":
      return text.match(/\S+/g)?.length ?? 0;
    case "characters": {
      let count = 0;
      for (const _ of text) count += 1;
      return count;
    }
  }
}
