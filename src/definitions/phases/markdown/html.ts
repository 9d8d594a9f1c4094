import { oneLine } from "../../files/single-spaced.ts";
import { wordsOf } from "./context-kind.ts";

/** The words of a `<summary>` or `<h3>` that head the following text; empty for a closing tag, otherwise undefined. */
export function htmlLabel(html: string): string | undefined {
  const text = withoutComments(html).trim();
  if (["</details>", "</section>", "</div>"].some((end) => text.toLowerCase().startsWith(end))) return "";
  const [, , words = ""] = /<(summary|h[1-6])\b[^>]*>([\s\S]*?)<\/\1>$/i.exec(text) ?? [];
  return words === "" ? undefined : withoutTags(words);
}

/** True if HTML contains what would be a gate in Markdown: boxes, entries, cells, or asking words. */
export function hidesRequirements(html: string): boolean {
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
