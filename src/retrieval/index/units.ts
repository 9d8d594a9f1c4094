import type { EachTerm } from "../text/terms.ts";
import type { Dictionary } from "./dictionary.ts";

/** The units of a document in sequence. */
export type Units = {
  /** For each unit: the end of its terms, and the word counts of its text and headings. */
  readonly units: Uint32Array;
  readonly terms: Uint32Array;
  /** The packed count of each term. */
  readonly counts: Uint16Array;
};

export const unitWidth = 3;
/** The packing of a chunk's count: twelve bits for its text, four for its headings. */
export const headShift = 12;
export const mostInText = 4095;
/** The packing of a card's count: four bits for each field. */
export const cardShift = { title: 0, path: 4, tags: 8, questions: 12 } as const;
export const mostInField = 15;

/** Creates a writer of units, which counts texts into the open unit, ends it, or copies an unchanged one. */
export function unitWriter(words: Dictionary, eachTerm: EachTerm) {
  const units: number[] = [];
  const terms: number[] = [];
  const counts: number[] = [];
  const counted = new Map<number, number>();
  return {
    /** Counts the terms of a text, up to `most` of each, and returns its number of words. */
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
