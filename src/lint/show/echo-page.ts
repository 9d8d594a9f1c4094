import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { parseMarkdown } from "../../definitions/phases/markdown/markdown.ts";
import { phaseGate } from "../../definitions/phases/phase-gate.ts";
import type { WorkflowDraft } from "../../definitions/phases/phased-workflow.ts";
import { readAllPhased } from "../../definitions/phases/read-phased.ts";
import { isMeasured } from "../../definitions/phases/requirements/clauses.ts";
import { phasesIn } from "../../definitions/phases/single-file.ts";
import { rewriteFile } from "../../definitions/rules/rewrite-file.ts";
import { displayPath } from "../../definitions/snapshot/display-path.ts";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { describeRule } from "../../gates/rule-vocabulary.ts";
import { defined } from "../../kit/defined.ts";

/** A line of a page as Waymark reads it. */
export type EchoedLine = {
  readonly file: string;
  readonly line: number;
  readonly phase: number;
  readonly kind: "enforced" | "asked" | "approval" | "not read";
  readonly text: string;
  readonly field?: string;
  /** The rule in words if one is enforced, or what an asked line takes. */
  readonly rule?: string;
  /** Words that would be enforced. */
  readonly rewrite?: string;
  /** True if the phase has a gate file or block that asks instead. */
  readonly hasGate?: true;
  /** True if it is only asked although it has a number, a comparison or a condition. */
  readonly isLoose: boolean;
};

/** Echoes the lines of one page, of a workflow or anywhere else; undefined if it cannot be read. */
export function echoPage(definitions: DefinitionSnapshot, path: string): readonly EchoedLine[] | undefined {
  const file = resolve(path);
  const own = echoWorkflows(definitions).filter((line) => resolve(line.path) === file);
  if (own.length > 0) return inPageOrder(own);
  const document = existsSync(file) ? parseMarkdown(readFileSync(file, "utf8")) : { unusable: "it does not exist" };
  if ("unusable" in document) return undefined;
  const place = { path: file, file: basename(file), source: basename(file) };
  const draft = phasesIn(document, place, ({ nodes }, _, at) => phaseGate(nodes, at));
  return inPageOrder(echoed(draft, definitions.folder));
}

function inPageOrder(lines: readonly PlacedLine[]): readonly EchoedLine[] {
  return lines.toSorted((a, b) => a.line - b.line).map(({ path: _, ...line }) => line);
}

/** Echoes the lines of every workflow of a definitions folder. */
export function echoDraft(definitions: DefinitionSnapshot): readonly (EchoedLine & { readonly workflow: string })[] {
  return echoWorkflows(definitions).map(({ path: _, ...line }) => line);
}

/** A workflow with the number of its lines of each kind. */
export type EchoCounts = { readonly workflow: string } & Readonly<
  Record<EchoedLine["kind"] | "loose" | "gated", number>
>;

/** Counts what is read from the prose of each workflow. */
export function countEchoes(definitions: DefinitionSnapshot): readonly EchoCounts[] {
  const lines = echoWorkflows(definitions);
  return [...new Set(lines.map(({ workflow }) => workflow))].map((workflow) => {
    const all = lines.filter((line) => line.workflow === workflow);
    const own = all.filter(({ hasGate }) => hasGate !== true);
    const count = (kind: EchoedLine["kind"]): number => own.filter((line) => line.kind === kind).length;
    const loose = own.filter(({ isLoose }) => isLoose).length;
    const counts = { enforced: count("enforced"), asked: count("asked"), approval: count("approval") };
    return { workflow, ...counts, "not read": count("not read"), loose, gated: all.length - own.length };
  });
}

/** Writes the rewrites of a page into it, and returns the lines that changed. */
export async function rewritePage(path: string, lines: readonly EchoedLine[]): Promise<readonly EchoedLine[]> {
  const changed: EchoedLine[] = [];
  await rewriteFile(dirname(resolve(path)), resolve(path), (text) => {
    const rows = text.split("\n");
    for (const one of lines) {
      const row = rows[one.line - 1];
      const at = row?.indexOf(one.text) ?? -1;
      if (row === undefined || one.rewrite === undefined || at < 0) continue;
      rows[one.line - 1] = row.slice(0, at) + one.rewrite + row.slice(at + one.text.length);
      changed.push(one);
    }
    return changed.length === 0 ? { unchanged: true } : { text: rows.join("\n") };
  });
  return changed;
}

type PlacedLine = EchoedLine & { readonly path: string };

function echoWorkflows(definitions: DefinitionSnapshot): (PlacedLine & { readonly workflow: string })[] {
  return [...readAllPhased(definitions)].flatMap(([workflow, { draft }]) =>
    draft === undefined ? [] : echoed(draft, definitions.folder).map((line) => ({ ...line, workflow })),
  );
}

function echoed({ lines }: Pick<WorkflowDraft, "lines">, definitions: string): PlacedLine[] {
  return lines.map(({ path, line, phase, kind, text, requirement, compared = [], rewrite, hasGate }) => ({
    path,
    file: displayPath(definitions, path),
    line,
    phase,
    kind,
    text,
    ...(requirement === undefined ? {} : { field: requirement.field }),
    ...(requirement !== undefined && (kind === "enforced" || kind === "asked")
      ? { rule: kind === "enforced" ? ruleText(requirement, compared) : askedText(requirement) }
      : {}),
    ...defined({ rewrite, hasGate }),
    isLoose: kind === "asked" && isMeasured(text),
  }));
}

type Requirement = NonNullable<WorkflowDraft["lines"][number]["requirement"]>;
type Compared = NonNullable<WorkflowDraft["lines"][number]["compared"]>;

/** Says what an asked line takes: a box with no more to it is confirmed. */
function askedText({ type, required, mayBeEmpty }: Requirement): string {
  const answer = type === "boolean" ? "true" : "any answer";
  return [answer, ...(mayBeEmpty ? ["may be empty"] : []), ...(required ? [] : ["optional"])].join(", ");
}

function ruleText({ type, required, rules, mayBeEmpty }: Requirement, compared: Compared): string {
  return [
    type === "any" ? "any value" : type,
    ...rules.map(describeRule),
    ...compared.map(({ is, other }) => `${is.replaceAll("_", " ")} ${other}`),
    ...(mayBeEmpty ? ["may be empty"] : []),
    ...(required ? [] : ["optional"]),
  ].join(", ");
}
