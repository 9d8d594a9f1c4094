import { dirname, join, relative, resolve, sep } from "node:path";
import type { Nodes } from "mdast";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { isPathInside } from "../../kit/is-path-inside.ts";
import type { FileLocation } from "./file-location.ts";
import { readMarkdown } from "./markdown/text-file.ts";
import { type Prose, proseGate } from "./requirements/prose-gate.ts";
import { type WorkflowProblem, workflowProblem } from "./workflow-problem.ts";

/** The documents a phase links to, which the assistant gets with it: text, sources and complaints. */
export type LinkedDocuments = {
  readonly text: string;
  readonly sources: readonly string[];
  readonly complaints: readonly WorkflowProblem[];
};

/** Reads the Markdown files of the workflow's folder that a phase's files link to; does not follow links in those. */
export function linkedDocuments(
  definitions: DefinitionSnapshot,
  files: readonly Prose[],
  phase: FileLocation,
): LinkedDocuments {
  const workflow = dirname(dirname(phase.path));
  const seen = new Set(files.map(({ path }) => definitions.realPath(path) ?? path));
  const [texts, sources, complaints]: [string[], string[], WorkflowProblem[]] = [[], [], []];
  for (const { path: from, nodes } of files)
    for (const { target, line } of linksIn(nodes)) {
      const path = resolve(dirname(from), target);
      const real = definitions.realPath(path) ?? path;
      if (seen.size === seen.add(real).size) continue;
      const complain = (code: WorkflowProblem["code"], why: string, fix: string): number =>
        complaints.push(workflowProblem(code, from, `the link to ${target} ${why}`, fix, { line, closes: false }));
      const isIn = (folder: string): boolean => isPathInside(definitions.realPath(folder) ?? folder, real);
      // A document of another phase would reveal that phase too early.
      const isAhead = isIn(join(workflow, "phases")) && !isIn(phase.path);
      const document = isAhead || !isIn(workflow) ? undefined : readMarkdown(definitions, path);
      if (isAhead)
        complain("tells-ahead", "points into another phase and is not followed", "Copy what this phase needs from it.");
      else if (document === undefined)
        complain("unfollowed-link", "points outside the workflow's folder, so the assistant never sees it", inside);
      else if ("unusable" in document) complain("unfollowed-link", `is not followed: ${document.unusable}`, inside);
      else {
        texts.push(`\n\n# ${relative(workflow, path).split(sep).join("/")}\n\n${document.source.trim()}\n`);
        const [asked] = proseGate([{ nodes: document.tree.children, path, file: path }]).gate.requirements;
        if (asked !== undefined)
          complain(
            "gate-sources-differ",
            `points to a requirement for ${asked.field}, which counts only here`,
            askHere,
          );
        sources.push(relative(definitions.folder, path).split(sep).join("/"));
      }
    }
  return { text: texts.join(""), sources, complaints };
}

const askHere = "Require it in phase.md or a gate file; a linked document is only shown.";
const inside = "Move the document into the workflow's folder, or remove the link.";

/** Relative links to Markdown files, without their anchors. */
function linksIn(nodes: Prose["nodes"]): { readonly target: string; readonly line: number }[] {
  return nodes.flatMap(urlsIn).flatMap(({ url, line }) => {
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
