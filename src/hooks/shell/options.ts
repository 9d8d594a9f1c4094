import type { Word } from "./parse.ts";

/** The words of a program, sorted: its options with their values, and what it is called on. */
export type Sorted = {
  readonly operands: readonly Word[];
  /** Options by name, without dashes; those that take no value have an empty word. */
  readonly options: ReadonlyMap<string, readonly Word[]>;
};

const none: Word = { text: "", plain: true };

/**
 * Sorts the words of a program. `valued` names the options that take a value: letters, and long names of which the value may
 * be the next word.
 */
export function sortWords(args: readonly Word[], valued = ""): Sorted {
  const names = valued.split(" ").filter((name) => name !== "");
  const letters = names.filter((name) => name.length === 1).join("");
  const operands: Word[] = [];
  const options = new Map<string, readonly Word[]>();
  const add = (name: string, value: Word): unknown => options.set(name, [...(options.get(name) ?? []), value]);
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? none;
    const { text } = word;
    if (text === "--") {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (text.startsWith("--")) {
      const [name = "", ...rest] = text.slice(2).split("=");
      if (rest.length > 0) add(name, { ...word, text: rest.join("=") });
      else add(name, names.includes(name) ? (args[++at] ?? none) : none);
    } else if (/^-./.test(text)) {
      const cluster = [...text.slice(1)];
      const value = cluster.findIndex((letter) => letters.includes(letter));
      for (const letter of value === -1 ? cluster : cluster.slice(0, value)) add(letter, none);
      if (value === -1) continue;
      const rest = cluster.slice(value + 1).join("");
      add(cluster[value] ?? "", rest === "" ? (args[++at] ?? none) : { ...word, text: rest });
    } else if (text !== "" || !word.plain) operands.push(word);
  }
  return { operands, options };
}

/** Whether one of some options is given. */
export function hasOption({ options }: Sorted, ...names: readonly string[]): boolean {
  return names.some((name) => options.has(name));
}

/** The values of some options. */
export function valuesOf({ options }: Sorted, ...names: readonly string[]): readonly Word[] {
  return names.flatMap((name) => options.get(name) ?? []);
}
