import { setTimeout as pause } from "node:timers/promises";
import type { Person, Said } from "./window.ts";

/** One answer of a person, given when they are asked. */
export type Answering = () => Said | Promise<Said>;

/** A person who gives these answers one after the other, and closes every question after that; remembers what they saw. */
export type Asked = { readonly person: Person; readonly questions: string[]; readonly forms: unknown[] };

export function personWho(...answers: Answering[]): Asked {
  const questions: string[] = [];
  const forms: unknown[] = [];
  const left = [...answers];
  const person: Person = (question, form) => {
    questions.push(question);
    forms.push(form);
    return (left.shift() ?? closes)();
  };
  return { person, questions, forms };
}

const words = (comment: string | undefined): Record<string, string> => (comment === undefined ? {} : { comment });

/** So long takes a person at least who has read the question. */
const readingMs = 400;

export const yes =
  (comment?: string): Answering =>
  () => ({ action: "accept", content: { answer: "yes", ...words(comment) } });

export const no =
  (comment?: string): Answering =>
  async () => {
    await pause(readingMs);
    return { action: "accept", content: { answer: "no", ...words(comment) } };
  };

export const declines: Answering = async () => {
  await pause(readingMs);
  return { action: "decline" };
};

export const closes: Answering = () => ({ action: "cancel" });
