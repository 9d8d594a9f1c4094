import type { ShellWord } from "./shell-command.ts";

/** The arguments of a program, sorted into options with values and operands. */
export type SortedArguments = {
  readonly operands: readonly ShellWord[];
  /** Options by name without dashes; those without a value have an empty word. */
  readonly options: ReadonlyMap<string, readonly ShellWord[]>;
};

const none: ShellWord = { text: "", plain: true };

/** Sorts the arguments of a program; `valued` lists the options that take a value, as letters and long names. */
export function sortArguments(args: readonly ShellWord[], valued = ""): SortedArguments {
  const names = valued.split(" ").filter((name) => name !== "");
  const letters = names.filter((name) => name.length === 1).join("");
  const operands: ShellWord[] = [];
  const options = new Map<string, readonly ShellWord[]>();
  const add = (name: string, value: ShellWord): unknown => options.set(name, [...(options.get(name) ?? []), value]);
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

/** True if one of these options is given. */
export function hasOption({ options }: SortedArguments, ...names: readonly string[]): boolean {
  return names.some((name) => options.has(name));
}

/** The values of these options. */
export function valuesOf({ options }: SortedArguments, ...names: readonly string[]): readonly ShellWord[] {
  return names.flatMap((name) => options.get(name) ?? []);
}
