import type { EachTerm } from "../text/terms.ts";
import type { Dictionary } from "./dictionary.ts";

/** The units of a document, one after the other. */
export type Units = {
  /** Of each unit: where its terms end, how many words of text it has, and how many in its headings. */
  readonly units: Uint32Array;
  readonly terms: Uint32Array;
  /** How often each term occurs, packed. */
  readonly counts: Uint16Array;
};

export const unitWidth = 3;
/** How a count is packed for a chunk: twelve bits for its text, four for its headings. */
export const headShift = 12;
export const mostInText = 4095;
/** How a count is packed for a card: four bits for each field. */
export const cardShift = { title: 0, path: 4, tags: 8, questions: 12 } as const;
export const mostInField = 15;

/** Writes units: counts texts into the open one, ends it, or copies one that has not changed. */
export function unitWriter(words: Dictionary, eachTerm: EachTerm) {
  const units: number[] = [];
  const terms: number[] = [];
  const counts: number[] = [];
  const counted = new Map<number, number>();
  return {
    /** Counts the terms of a text, up to `most` of each; answers how many words it has. */
    count(text: string, shift: number, most: number): number {
      let length = 0;
      eachTerm(text, (term) => {
        length++;
        const number = words.add(term);
        const packed = counted.get(number) ?? 0;
        if (((packed >> shift) & most) < most) counted.set(number, packed + (1 << shift));
      });
      return length;
    },
    end(textLength: number, headLength: number): void {
      for (const [term, packed] of counted) {
        terms.push(term);
        counts.push(packed);
      }
      counted.clear();
      units.push(terms.length, textLength, headLength);
    },
    copy(from: Units, unit: number): void {
      const field = unit * unitWidth;
      const end = from.units[field] ?? 0;
      for (let at = from.units[field - unitWidth] ?? 0; at < end; at++) {
        terms.push(from.terms[at] ?? 0);
        counts.push(from.counts[at] ?? 0);
      }
      units.push(terms.length, from.units[field + 1] ?? 0, from.units[field + 2] ?? 0);
    },
    written: (): Units => ({
      units: Uint32Array.from(units),
      terms: Uint32Array.from(terms),
      counts: Uint16Array.from(counts),
    }),
  };
}
