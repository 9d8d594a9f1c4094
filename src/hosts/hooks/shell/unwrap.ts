import { defined } from "../../../kit/defined.ts";
import type { ShellWord } from "./shell-command.ts";

/** The program that runs, its arguments, and its working folder if a wrapper sets one. */
export type Unwrapped = { readonly name: string; readonly args: readonly ShellWord[]; readonly folder?: ShellWord };

/** Programs that run another one: their options with a value, and the number of words before it. */
const wrappers: ReadonlyMap<string, { readonly valued: string; readonly wants?: number }> = new Map([
  ["sudo", { valued: "u g h p C D R T U r t user group host prompt chdir chroot role type other-user" }],
  ["doas", { valued: "u C" }],
  ["env", { valued: "u C S unset chdir split-string" }],
  ["nice", { valued: "n adjustment" }],
  ["ionice", { valued: "c n p class classdata pid" }],
  ["nohup", { valued: "" }],
  ["setsid", { valued: "" }],
  ["time", { valued: "f o format output" }],
  ["timeout", { valued: "s k signal kill-after", wants: 1 }],
  ["stdbuf", { valued: "i o e input output error" }],
  ["flock", { valued: "w E timeout conflict-exit-code", wants: 1 }],
  ["taskset", { valued: "", wants: 1 }],
  ["watch", { valued: "n interval" }],
  ["caffeinate", { valued: "t w" }],
  ["unbuffer", { valued: "" }],
  ["command", { valued: "" }],
  ["builtin", { valued: "" }],
  ["exec", { valued: "a" }],
  ["busybox", { valued: "" }],
  ["xargs", { valued: "a d E I L n P s arg-file delimiter max-args max-procs max-lines max-chars" }],
]);

/** Finds the program that a command finally runs, behind variable assignments and wrappers. */
export function unwrap(words: readonly ShellWord[]): Unwrapped {
  let at = 0;
  let folder: ShellWord | undefined;
  const skipSettings = (): void => {
    while (/^\w+=/.test(words[at]?.text ?? "")) at++;
  };
  skipSettings();
  for (;;) {
    const wrapper = wrappers.get(programName(words[at]?.text ?? ""));
    if (wrapper === undefined) break;
    const valued = wrapper.valued.split(" ");
    at++;
    for (let text = words[at]?.text ?? ""; /^-./.test(text); text = words[at]?.text ?? "") {
      at++;
      if (text === "--") break;
      const [name = "", value] = text.startsWith("--") ? text.slice(2).split("=") : [text.slice(-1)];
      const isAhead = value === undefined && valued.includes(name) && !isFilled(text, valued);
      if (/^(C|D|chdir)$/.test(name) && valued.includes(name)) folder = isAhead ? words[at] : folder;
      if (isAhead) at++;
    }
    skipSettings();
    at += wrapper.wants ?? 0;
  }
  const [program, ...args] = words.slice(at);
  return { name: programName(program?.text ?? ""), args, ...defined({ folder }) };
}

/** True if an option's value is in the same word: `-n10`, `-oL`. */
function isFilled(text: string, valued: readonly string[]): boolean {
  const first = [...text.slice(1)].findIndex((letter) => valued.includes(letter));
  return !text.startsWith("--") && first < text.length - 2;
}

/** A program's name without its folder and extension. */
export function programName(text: string): string {
  return (text.split(/[\\/]/).at(-1) ?? "").replace(/\.(exe|cmd)$/i, "").toLowerCase();
}
