import type { Phase } from "../phases/phased-workflow.ts";
import type { RevealingWords } from "./revealing-words.ts";

/** Removes the sentences that name something from a phase. */
export function hidePhases(text: string, phases: readonly Phase[]): string {
  return without(text, wordsOfPhases(phases));
}

/** Removes the sentences that contain revealing words. */
export function hideWords(text: string, { phases, tasks, fields }: RevealingWords): string {
  const single = phases.map((name) => name.trim()).filter((name) => /^\S{4,}$/.test(name));
  const revealsPhase = (sentence: string): boolean => {
    const words = sentence.split(/[^\p{L}\p{N}_]+/u);
    return (
      single.some((name) => words.includes(name)) ||
      words.some((word) => word.includes("_") && fields.has(word.toLowerCase()))
    );
  };
  const kept = text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => !revealsPhase(sentence));
  return without(kept.join(" "), revealingNames([...phases, ...tasks]));
}

function without(text: string, names: readonly string[]): string {
  const sentences = text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => !containsAnyWord(sentence, names));
  return sentences.join(" ").trim();
}

/** True if a text names a phase, a task or a field of these phases. */
export function namesAnyPhase(text: string, phases: readonly Phase[]): boolean {
  return containsAnyWord(text, wordsOfPhases(phases));
}

function containsAnyWord(text: string, words: readonly string[]): boolean {
  const plain = comparable(text);
  return words.some((word) => plain.includes(` ${word} `));
}

/** The revealing names of phases; single common words such as "test" do not count. */
function wordsOfPhases(phases: readonly Phase[]): string[] {
  const names = revealingNames(phases.flatMap(({ name, tasks }) => [name, ...tasks.map((task) => task.name)]));
  const fields = phases
    .flatMap(({ gate }) => gate.requirements.map(({ field }) => field))
    .filter((field) => field.includes("_"));
  return [...names, ...fields.map((field) => comparable(field).trim())].filter((word) => word.length > 3);
}

function revealingNames(names: readonly string[]): string[] {
  return names
    .map((name) => comparable(name).trim())
    .filter((name) => (name.includes(" ") || /\d/.test(name)) && name.length > 3);
}

function comparable(text: string): string {
  return ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}_]+/gu, " ")} `;
}
