import type { ShellWord } from "./shell-command.ts";
import { copyTargets, type WrittenPath } from "./written-path.ts";

/** The PowerShell commands that write, and the meaning of their positional arguments. */
const commands: ReadonlyMap<string, "writes" | "removes" | "moves" | "copies"> = new Map([
  ["set-content", "writes"],
  ["add-content", "writes"],
  ["clear-content", "writes"],
  ["out-file", "writes"],
  ["tee-object", "writes"],
  ["new-item", "writes"],
  ["remove-item", "removes"],
  ["move-item", "moves"],
  ["copy-item", "copies"],
]);

const valued =
  /^-(path|literalpath|filepath|destination|value|encoding|itemtype|type|filter|include|exclude|credential|inputobject|name|width|stream|target|variable)$/i;

/** The files a PowerShell command writes; undefined for any other program. */
export function powershellWrites(name: string, args: readonly ShellWord[]): readonly WrittenPath[] | undefined {
  const means = commands.get(name);
  if (means === undefined) return undefined;
  const given: ShellWord[] = [];
  const named = new Map<string, ShellWord>();
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (word === undefined) continue;
    if (!word.text.startsWith("-")) given.push(word);
    else if (valued.test(word.text)) named.set(word.text.slice(1).toLowerCase(), args[++at] ?? word);
  }
  const path = named.get("path") ?? named.get("literalpath") ?? named.get("filepath") ?? given.shift();
  const paths = listed(path);
  if (means === "writes") return paths.map((word) => ({ word }));
  if (means === "removes") return paths.map((word) => ({ word, removed: true }));
  const target = named.get("destination") ?? given.shift();
  return target === undefined ? [] : copyTargets([...paths, target], means === "moves" ? { moved: true } : {});
}

function listed(word: ShellWord | undefined): readonly ShellWord[] {
  if (word === undefined) return [];
  return word.text.split(",").map((text) => ({ ...word, text }));
}
