import { yamlMapping } from "../../definitions/files/yaml.ts";
import { parseMarkdown } from "../../definitions/phases/markdown/markdown.ts";
import { phaseSections, textAt } from "../../definitions/phases/markdown/sections.ts";
import { plainText } from "../../definitions/phases/markdown/text-lines.ts";
import { textIn } from "../../definitions/phases/metadata.ts";
import type { Imported } from "./imported-page.ts";
import { phaseText, summaryEvidence } from "./imported-page.ts";

/** Imports a skill with numbered steps: headings such as `## Step 1: Look`, or the entries of its longest numbered list. */
export function importSkill(source: string): Imported | { readonly problem: string } {
  const document = parseMarkdown(source);
  if ("unusable" in document) return { problem: document.unusable };
  const front = yamlMapping(document.frontMatter);
  const name = textIn(front.name) ?? "skill";
  const about = { name, title: name, description: textIn(front.description) ?? "" };
  const notCarried = Object.keys(front)
    .filter((key) => !["name", "description", "title"].includes(key))
    .map((key) => `${key} in its front matter`);
  const gate = { evidence_schema: summaryEvidence("What was done, and how it was verified") };
  const { tree, text } = document;
  const sections = phaseSections(document);
  if (!sections.isWhole && sections.phases.length > 1) {
    const before = phaseText(
      textAt(
        sections.before.map((node) => tree.children.indexOf(node)),
        tree.children,
        text,
      ),
    );
    const phases = sections.phases.map(({ name: title, number, text: own }, at) => {
      const body = phaseText(own.replace(/^#{1,6}[^\n]*\n?/, ""));
      return {
        title: title || `Step ${number}`,
        text: at === 0 && before !== "" ? `${before}\n\n${body}` : body,
        gate,
      };
    });
    return { ...about, phases, notCarried };
  }
  const lists = tree.children.filter((node) => node.type === "list").filter(({ ordered }) => ordered === true);
  const [longest] = lists.toSorted((a, b) => b.children.length - a.children.length);
  if (longest === undefined || longest.children.length < 2) return { problem: "it has no numbered steps" };
  const others = tree.children.filter((node) => node !== longest);
  const before = phaseText(
    textAt(
      others.map((node) => tree.children.indexOf(node)),
      tree.children,
      text,
    ),
  );
  const phases = longest.children.map((item, at) => {
    const [first] = item.children;
    const said = first?.type === "paragraph" ? plainText(first) : "";
    const title = (/^[^.:;–—]{3,60}/.exec(said)?.[0] ?? said.slice(0, 60)).trim() || `Step ${at + 1}`;
    const own = text.slice(first?.position?.start.offset ?? 0, item.position?.end.offset);
    const body = phaseText(own.replaceAll(/^ {2,4}/gm, ""));
    return { title, text: at === 0 && before !== "" ? `${before}\n\n${body}` : body, gate };
  });
  return { ...about, phases, notCarried };
}
