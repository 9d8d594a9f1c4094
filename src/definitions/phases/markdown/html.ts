import { oneLine } from "../../one-line.ts";
import { wordsOf } from "./places.ts";

/** The words of a piece of HTML that head what follows it: of `<summary>` and `<h3>`; none where it ends a part; undefined where it does neither. */
export function htmlLabel(html: string): string | undefined {
  const text = withoutComments(html).trim();
  if (["</details>", "</section>", "</div>"].some((end) => text.toLowerCase().startsWith(end))) return "";
  const [, , words = ""] = /<(summary|h[1-6])\b[^>]*>([\s\S]*?)<\/\1>$/i.exec(text) ?? [];
  return words === "" ? undefined : withoutTags(words);
}

/** Tells whether HTML holds what a gate would be read from, were it Markdown: boxes, entries, cells, or words that ask. */
export function hidesDemands(html: string): boolean {
  const text = withoutComments(html).toLowerCase();
  const said = wordsOf(withoutTags(text)).join(" ");
  const isAsking = ["required:", "evidence:", "checkpoint:"].some((word) => text.replaceAll(" :", ":").includes(word));
  return isAsking || said.includes("must provide") || parts.some((part) => text.includes(part));
}

const parts = ["<li", "<td", "<input", "<dt", "[ ]", "[x]", "[]", "☐", "☑"];

function withoutComments(html: string): string {
  return html.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, "");
}

function withoutTags(html: string): string {
  return oneLine(html.replaceAll(/<[^>]*>/g, " "));
}
