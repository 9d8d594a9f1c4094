import { defined } from "../../../kit/defined.ts";
import type { ShellWord } from "./shell-command.ts";
import type { WrittenPath } from "./written-path.ts";

/** The files that a find command changes, itself or through a program it runs. */
export function findWrites(
  args: readonly ShellWord[],
  writtenBy: (words: readonly ShellWord[]) => readonly WrittenPath[],
): readonly WrittenPath[] {
  const first = args.findIndex(({ text }) => /^[-!(]/.test(text) && !/^-[HLPDO]/.test(text));
  const [places, tests] = first === -1 ? [args, []] : [args.slice(0, first), args.slice(first)];
  const roots = places.filter(({ text }) => !text.startsWith("-"));
  const runs = programsIn(tests).map(writtenBy);
  const isFound = ({ word }: WrittenPath): boolean => word.text.includes("{}");
  const taken = runs.flat().filter(isFound);
  const others = runs.flat().filter((written) => !isFound(written));
  const isDeleting = tests.some(({ text }) => text === "-delete");
  if (!isDeleting && taken.length === 0) return others;
  const removed = isDeleting || taken.some((written) => written.removed);
  const chosen = chosenBy(tests);
  return [
    ...(roots.length > 0 ? roots : [{ text: ".", plain: true }]).map(
      (word): WrittenPath => ({
        word,
        ...(removed ? { removed: true } : {}),
        ...defined({ chosen }),
      }),
    ),
    ...others,
  ];
}

function programsIn(tests: readonly ShellWord[]): readonly (readonly ShellWord[])[] {
  return tests.flatMap(({ text }, at) => {
    if (!/^-(exec|execdir|ok|okdir)$/.test(text)) return [];
    const rest = tests.slice(at + 1);
    const end = rest.findIndex(({ text: mark }) => mark === ";" || mark === "+");
    return [end === -1 ? rest : rest.slice(0, end)];
  });
}

/** The names it selects by; empty if only another test decides, undefined if it selects everything. */
function chosenBy(tests: readonly ShellWord[]): readonly string[] | undefined {
  const words = tests.map(({ text }) => text);
  const isLeftOut = words.some(
    (text, at) => text.includes(".waymark") && (/^(!|-not)$/.test(words[at - 2] ?? "") || words.includes("-prune")),
  );
  const names = words.flatMap((text, at) =>
    /^-i?(name|path|wholename)$/.test(words[at - 1] ?? "") && !/^(!|-not)$/.test(words[at - 2] ?? "") ? [text] : [],
  );
  if (names.length > 0) return names.map((name) => name.split("/").findLast((part) => !/^\**$/.test(part)) ?? name);
  return isLeftOut ? [] : undefined;
}
