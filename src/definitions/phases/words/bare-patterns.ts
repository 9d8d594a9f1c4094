import type { InlineCode, PhrasingContent, Root, RootContent, Text } from "mdast";
import { looksLikePattern, patternLead } from "./pattern-words.ts";

/** Puts patterns that are written without backticks in some: else Markdown takes their backslashes and stars away. Changes the tree. */
export function keepPatterns(tree: Root, source: string): Root {
  if (mayHold.test(source)) for (const node of tree.children) keepIn(node, source);
  return tree;
}

const mayHold = new RegExp(`${patternLead}\\S|(?:^|\\s)/?\\^`, "im");

function keepIn(node: RootContent, source: string): void {
  if (node.type === "paragraph" || node.type === "tableCell" || node.type === "heading") {
    const start = node.position?.start.offset;
    const end = node.position?.end.offset;
    if (start === undefined || end === undefined) return;
    for (const found of barePatterns(source.slice(start, end)).reverse())
      node.children = replaced(node.children, { from: start + found.from, to: start + found.to }, source);
  } else if ("children" in node) for (const child of node.children) keepIn(child, source);
}

/** So many patterns nobody writes in one paragraph. */
const mostPatterns = 20;

type Span = { readonly from: number; readonly to: number };

/** Where in a text patterns stand that nothing sets off. */
function barePatterns(text: string): Span[] {
  const hidden = text.replaceAll(/`[^`\n]*`/g, (code) => "`".repeat(code.length));
  const lead = new RegExp(`(?:${patternLead}|(?<=^|[\\s:(|])(?=/?\\^))(?=[^\\s\`"“])`, "gi");
  return [...hidden.matchAll(lead)].slice(0, mostPatterns).flatMap((match) => {
    const from = match.index + match[0].length;
    const [whole = ""] = /^\^[^\n`|]{0,80}?\$(?=[\s.,;)|]|$)|^\S+/.exec(hidden.slice(from)) ?? [];
    const token = withoutEnding(whole);
    return token.length > 2 && looksLikePattern(token) && !token.includes("`")
      ? [{ from, to: from + token.length }]
      : [];
  });
}

/** A token without the punctuation of its sentence. */
function withoutEnding(token: string): string {
  const plain = token.replace(/(?<!\\)[.,;:]+$/, "");
  const isOpen = (plain.match(/(?<!\\)\(/g)?.length ?? 0) < (plain.match(/(?<!\\)\)/g)?.length ?? 0);
  return isOpen && plain.endsWith(")") ? withoutEnding(plain.slice(0, -1)) : plain;
}

/** The parts of a line with one stretch of it as code; as they were where the stretch ends inside something else than text. */
function replaced(children: PhrasingContent[], { from, to }: Span, source: string): PhrasingContent[] {
  const startOf = (node: PhrasingContent | undefined): number => node?.position?.start.offset ?? -1;
  const endOf = (node: PhrasingContent | undefined): number => node?.position?.end.offset ?? -1;
  const first = children.findIndex((node) => startOf(node) <= from && from < endOf(node));
  const last = children.findIndex((node) => startOf(node) < to && to <= endOf(node));
  const [head, tail] = [children[first], children[last]];
  if (head?.type !== "text" || tail === undefined || last < first) return children;
  const begun = read(source.slice(from, Math.min(to, endOf(head))));
  const at = first === last ? head.value.indexOf(begun) : head.value.length - begun.length;
  const ended = tail.type === "text" ? read(source.slice(Math.max(from, startOf(tail)), to)) : "";
  if (at < 0 || (tail.type !== "text" && endOf(tail) !== to)) return children;
  const line = (head.position?.start.line ?? 1) + head.value.slice(0, at).split("\n").length - 1;
  const rest = tail.type !== "text" ? "" : tail.value.slice(first === last ? at + begun.length : ended.length);
  const code: InlineCode = { type: "inlineCode", value: source.slice(from, to).replaceAll("\\|", "|") };
  const after: Text = { type: "text", value: rest, ...placed(line) };
  return [
    ...children.slice(0, first),
    { ...head, value: head.value.slice(0, at) },
    { ...code, ...placed(line) },
    ...(rest === "" ? [] : [after]),
    ...children.slice(last + 1),
  ];
}

/** A text as Markdown reads it: a backslash before a sign is gone. */
function read(text: string): string {
  return text.replaceAll(/\\([!-/:-@[-`{-~])/g, "$1");
}

function placed(line: number): Pick<Text, "position"> {
  return { position: { start: { line, column: 1 }, end: { line, column: 1 } } };
}
