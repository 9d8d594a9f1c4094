import type { Phase } from "../phases/phased-workflow.ts";
import type { TellingWords } from "./telling-words.ts";

/** A text for everybody, without the sentences that name what stands in a phase. */
export function withoutPhases(text: string, phases: readonly Phase[]): string {
  return without(text, wordsOfPhases(phases));
}

/** The same where only the words are known that would tell. */
export function withoutWords(text: string, { phases, tasks, fields }: TellingWords): string {
  const single = phases.map((name) => name.trim()).filter((name) => /^\S{4,}$/.test(name));
  const isTold = (sentence: string): boolean => {
    const words = sentence.split(/[^\p{L}\p{N}_]+/u);
    return (
      single.some((name) => words.includes(name)) ||
      words.some((word) => word.includes("_") && fields.has(word.toLowerCase()))
    );
  };
  const kept = text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => !isTold(sentence));
  return without(kept.join(" "), telling([...phases, ...tasks]));
}

function without(text: string, told: readonly string[]): string {
  const sentences = text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => !tells(sentence, told));
  return sentences.join(" ").trim();
}

/** Tells whether a text names a phase, a task or a field of one of these phases. */
export function namesAny(text: string, phases: readonly Phase[]): boolean {
  return tells(text, wordsOfPhases(phases));
}

function tells(text: string, words: readonly string[]): boolean {
  const plain = comparable(text);
  return words.some((word) => plain.includes(` ${word} `));
}

/** Names of one common word say nothing: a workflow about tests may well speak of "test". */
function wordsOfPhases(phases: readonly Phase[]): string[] {
  const names = telling(phases.flatMap(({ name, tasks }) => [name, ...tasks.map((task) => task.name)]));
  const fields = phases
    .flatMap(({ gate }) => gate.requirements.map(({ field }) => field))
    .filter((field) => field.includes("_"));
  return [...names, ...fields.map((field) => comparable(field).trim())].filter((word) => word.length > 3);
}

function telling(names: readonly string[]): string[] {
  return names
    .map((name) => comparable(name).trim())
    .filter((name) => (name.includes(" ") || /\d/.test(name)) && name.length > 3);
}

function comparable(text: string): string {
  return ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}_]+/gu, " ")} `;
}
