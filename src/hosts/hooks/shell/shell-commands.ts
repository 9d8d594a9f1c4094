/** A word of a command; `isPlain` means that the shell substitutes nothing in it. */
export type ShellWord = { readonly text: string; readonly isPlain: boolean };

/** One command of a shell line; `depth` counts the brackets around it. */
export type ShellCommand = {
  readonly words: ShellWord[];
  /** The files its output is redirected to. */
  readonly into: ShellWord[];
  /** The text of its here-document. */
  input: string;
  readonly depth: number;
  /** True in a pipe or in the background, where it changes no folder for others. */
  isPiped: boolean;
};

const [longest, mostHereDocuments] = [100_000, 16];
const token = new RegExp(
  [
    String.raw`(?<space>[^\S\n]+|\\\r?\n|(?<![^\s;&|(])#[^\n]*|\(\([^\n]{0,500}?\)\)|\[\[\s[^\n]{0,500}?\s\]\]|\d*[<>]&[\d-]+)`,
    String.raw`(?<heredoc><<-?[^\S\n]*(?:'[^'\n]*'|"[^"\n]*"|[\w.]+))`,
    String.raw`(?<redirect>\d*(?:&>>?|>>|>\||>&?|<<<|<>|<)(?!\()[^\S\n]*)`,
    String.raw`(?<newline>\n)`,
    String.raw`(?<end>;+|&&|\|\||\|&?|&)`,
    "(?<bracket>[()])",
  ].join("|"),
  "y",
);

/** Reads a shell line as a flat list of commands without the text of substitutions; good enough for advice, not a shell. */
export function shellCommands(line: string): readonly ShellCommand[] {
  const text = line.slice(0, longest);
  const commands: ShellCommand[] = [];
  let [at, depth, isPiped] = [0, 0, false];
  const newCommand = (): ShellCommand => ({ words: [], into: [], input: "", depth, isPiped });
  let command = newCommand();
  const awaited: (readonly [command: ShellCommand, mark: string])[] = [];
  let hereDocuments = 0;
  let target: ShellWord[] | undefined;
  const finish = (sign: string): void => {
    isPiped = /^\|&?$/.test(sign);
    command.isPiped ||= isPiped || sign === "&";
    commands.push(command);
    [command, target] = [newCommand(), undefined];
  };
  while (at < text.length) {
    token.lastIndex = at;
    const found = token.exec(text)?.groups;
    if (found === undefined) {
      const { word, end } = readWord(text, at);
      (target ?? command.words).push(word);
      [at, target] = [end, undefined];
      continue;
    }
    at = token.lastIndex;
    if (found.redirect !== undefined) target = found.redirect.includes(">") ? command.into : [];
    else if (found.heredoc !== undefined && ++hereDocuments <= mostHereDocuments)
      awaited.push([command, found.heredoc.replaceAll(/^<<-?\s*|['"]/g, "")]);
    else if (found.newline !== undefined) {
      for (const [reader, mark] of awaited.splice(0)) {
        const lines = text.slice(at).split("\n");
        const end = lines.findIndex((each) => each.trim() === mark);
        if (end === -1) continue;
        reader.input = lines.slice(0, end).join("\n");
        at += reader.input.length + (lines[end] ?? "").length + 1;
      }
      finish(";");
    } else if (found.space === undefined && found.heredoc === undefined) {
      if (found.bracket !== undefined) depth += found.bracket === "(" ? 1 : -1;
      finish(found.end ?? ";");
    }
  }
  finish(";");
  return commands;
}

const inBrackets = String.raw`\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)`;
const part = new RegExp(
  [
    String.raw`(?<substituted>[$<>]${inBrackets}|\x60[^\x60]*\x60|\$\{[^}]*\})`,
    String.raw`'(?<single>[^']*)'|\$'(?<escaped>(?:[^'\\]|\\.)*)'|\\(?<kept>[\s\S])|(?<bare>[^\s;&|<>()"'\\])`,
  ].join("|"),
  "y",
);

/** Reads one word with its quotes; substitutions make it not plain. */
function readWord(text: string, from: number): { readonly word: ShellWord; readonly end: number } {
  let [at, said, isPlain, isQuoted] = [from, "", true, false];
  while (at < text.length) {
    const char = text.charAt(at);
    part.lastIndex = at;
    const found = isQuoted && char === "'" ? undefined : part.exec(text)?.groups;
    if (char === '"') {
      isQuoted = !isQuoted;
      at++;
    } else if (isQuoted && found?.kept === undefined && found?.substituted === undefined) {
      isPlain &&= char !== "$";
      said += char;
      at++;
    } else if (found === undefined) break;
    else {
      if (found.single === undefined && /[$<>`*?[{]/.test(char)) isPlain = found.escaped !== undefined && isPlain;
      said += found.single ?? found.escaped ?? (found.kept === "\n" ? "" : found.kept) ?? found.bare ?? "";
      at = part.lastIndex;
    }
  }
  return { word: { text: said, isPlain }, end: Math.max(at, from + 1) };
}
