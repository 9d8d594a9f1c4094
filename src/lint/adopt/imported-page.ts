import type { Json, JsonObject } from "../../kit/json.ts";
import { yaml } from "../../kit/libraries.ts";

/** One phase of an imported process: its text, and its gate as a gate file has it. */
export type ImportedPhase = { readonly title: string; readonly text: string; readonly gate: JsonObject };

/** An imported process, and what could not be carried over. */
export type Imported = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputs?: JsonObject;
  readonly outcomes?: readonly string[];
  readonly phases: readonly ImportedPhase[];
  /** Further workflows, by name, that its phases call. */
  readonly called?: ReadonlyMap<string, readonly ImportedPhase[]>;
  readonly notCarried: readonly string[];
};

/** The pages of an imported process, by their path among the definitions. */
export function pagesOf(imported: Imported, name: string): ReadonlyMap<string, string> {
  const { title, description, inputs, outcomes, phases, called = new Map() } = imported;
  const front: JsonObject = {
    ...(description === "" ? {} : { description }),
    ...(inputs === undefined || Object.keys(inputs).length === 0 ? {} : { inputs }),
    ...(outcomes === undefined ? {} : { outcomes }),
  };
  const pages = [...called].map(([own, list]): [string, string] => [`workflows/${own}.md`, pageText(own, {}, list)]);
  return new Map([[`workflows/${name}.md`, pageText(title, front, phases)], ...pages]);
}

/** The phases whose gates nothing but the assistant's word satisfies. */
export function claimedPhases({ phases }: Imported): readonly string[] {
  return phases.flatMap(({ title, gate }, at) =>
    gate.checks === undefined && gate.approval === undefined && gate.workflow === undefined
      ? [`Phase ${at + 1}: ${title}`]
      : [],
  );
}

function pageText(title: string, front: JsonObject, phases: readonly ImportedPhase[]): string {
  const head = Object.keys(front).length === 0 ? "" : `---\n${written(front)}---\n\n`;
  const parts = phases.map(({ title: name, text, gate }, at) => {
    const block = `\`\`\`yaml gate\n${written(gate)}\`\`\``;
    return `## Phase ${at + 1}: ${name}\n\n${text === "" ? "" : `${text}\n\n`}${block}\n`;
  });
  return `${head}# ${title}\n\n${parts.join("\n")}`;
}

function written(value: JsonObject): string {
  return yaml().stringify(value, { lineWidth: 120 });
}

/** A text as part of a phase: its headings become bold lines, so that none begins a phase. */
export function phaseText(text: Json | undefined): string {
  if (typeof text !== "string") return "";
  return text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/^#{1,6}[ \t]+(.+?)[ \t]*#*$/gm, "**$1**")
    .replaceAll(/^(`{3,}|~{3,})[ \t]*ya?ml[ \t]+gate\b/gim, "$1yaml")
    .trim();
}

/** A name as a heading: `review-spec` becomes `Review spec`. */
export function headingOf(name: string): string {
  const words = name.replaceAll(/[-_]+/g, " ").replaceAll(/\s+/g, " ").trim();
  return words === "" ? "Step" : words.charAt(0).toUpperCase() + words.slice(1);
}

/** The name by which conditions and routes mean a phase with this heading. */
export function stepName(name: string): string {
  return headingOf(name)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "_")
    .replaceAll(/^_+|_+$/g, "");
}

/** Evidence that nothing but the assistant's word satisfies. */
export function summaryEvidence(description: string): JsonObject {
  return { summary: { type: "string", required: true, description } };
}
