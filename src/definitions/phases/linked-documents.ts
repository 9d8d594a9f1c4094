import { dirname, join, relative, resolve, sep } from "node:path";
import type { Nodes } from "mdast";
import { liesIn } from "../../paths/lies-in.ts";
import { realPathOf } from "../stand.ts";
import { type Complaint, complaint } from "./complaint.ts";
import { documentGate } from "./demands/document-gate.ts";
import { definitionsOf, type FilePlace } from "./link.ts";
import { blocksOf } from "./markdown/blocks.ts";
import type { MarkdownDocument } from "./markdown/markdown.ts";
import { readMarkdown } from "./markdown/text-file.ts";

/** Documents that a phase names, which reach the assistant with it and not before: their text, where they stand, what is wrong. */
export type LinkedDocuments = {
  readonly text: string;
  readonly sources: readonly string[];
  readonly complaints: readonly Complaint[];
};

/** A Markdown file of a phase that may link to others. */
export type LinkingFile = { readonly path: string; readonly tree: MarkdownDocument["tree"] };

/** Reads the Markdown files of the workflow's own folder that the files of a phase link to; links in those are not followed. */
export function linkedDocuments(files: readonly LinkingFile[], phase: FilePlace): LinkedDocuments {
  const workflow = dirname(dirname(phase.path));
  const seen = new Set(files.map(({ path }) => realPathOf(path) ?? path));
  const [texts, sources, complaints]: [string[], string[], Complaint[]] = [[], [], []];
  for (const { path: from, tree } of files)
    for (const { target, line } of linksIn(tree)) {
      const path = resolve(dirname(from), target);
      const real = realPathOf(path) ?? path;
      if (seen.size === seen.add(real).size) continue;
      const complain = (code: Complaint["code"], why: string, fix: string): number =>
        complaints.push(complaint(code, from, `the link to ${target} ${why}`, fix, { line, closes: false }));
      const isIn = (folder: string): boolean => liesIn(realPathOf(folder) ?? folder, real);
      // What stands beside another phase would be told before its time.
      const isAhead = isIn(join(workflow, "phases")) && !isIn(phase.path);
      const document = isAhead || !isIn(workflow) ? undefined : readMarkdown(path, phase);
      if (isAhead)
        complain("tells-ahead", "leads into another phase and is not followed", "Say here what is needed of it.");
      else if (document === undefined)
        complain("unfollowed-link", "leads out of the workflow's folder, so the assistant never gets it", inside);
      else if ("unusable" in document) complain("unfollowed-link", `is not followed: ${document.unusable}`, inside);
      else {
        texts.push(`\n\n# ${relative(workflow, path).split(sep).join("/")}\n\n${document.source.trim()}\n`);
        const [asked] = documentGate(blocksOf(document.tree.children), path).gate.requirements;
        if (asked !== undefined)
          complain("gate-sources-differ", `leads to a demand for ${asked.field}, which counts only here`, askHere);
        sources.push(relative(definitionsOf(phase), path).split(sep).join("/"));
      }
    }
  return { text: texts.join(""), sources, complaints };
}

const askHere = "Ask for it in phase.md or a gate file; a linked document is only read.";
const inside = "Put the document inside the workflow's folder, or take the link out.";

/** Relative links to Markdown files, without the place inside them that they lead to. */
function linksIn(tree: MarkdownDocument["tree"]): { readonly target: string; readonly line: number }[] {
  return urlsIn(tree).flatMap(({ url, line }) => {
    const [path = ""] = url.split(/[?#]/);
    const target = decoded(path);
    const isRelative = !target.startsWith("/") && !target.includes(":") && !target.includes("\0");
    return isRelative && target.toLowerCase().endsWith(".md") ? [{ target, line }] : [];
  });
}

function urlsIn(node: Nodes): { readonly url: string; readonly line: number }[] {
  const own = node.type === "link" || node.type === "definition" ? [node.url] : [];
  const line = node.position?.start.line ?? 1;
  return [...own.map((url) => ({ url, line })), ...("children" in node ? node.children.flatMap(urlsIn) : [])];
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
