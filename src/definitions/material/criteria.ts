import { isObject, type Json, type JsonObject } from "../../workflow/json.ts";
import type { Flaw } from "../problem.ts";
import { textOf } from "../rules/text-of.ts";
import { findFiles, findFolders, nameOf } from "./find-files.ts";
import { type Found, readMaterial, type Source } from "./found.ts";
import { isItem, itemLine, itemsOf } from "./item-line.ts";

const criteriaKeys = ["decision_criteria", "planning_criteria", "criteria"];
const assumptionKeys = ["typical_assumptions", "assumptions"];

/** What a behavior has its people decide, with the options they have; and what it takes for granted unless told otherwise. */
export function findPlanning(source: Source): { readonly criteria: Found; readonly assumptions: Found } {
  const problems: Flaw[] = [];
  const files = readFiles(source, problems);
  const criteria = files.flatMap(({ value, isAssumptions }) => (isAssumptions ? [] : criteriaIn(value)));
  const assumptions = files
    .flatMap(({ value, isAssumptions }) => assumptionsIn(value, isAssumptions))
    .map(itemLine)
    .filter((line) => line !== "");
  return {
    criteria: { text: criteria.map(shown).join("\n"), problems },
    assumptions: { text: assumptions.map((line) => `- ${line}`).join("\n"), problems },
  };
}

type Read = { readonly value: Json | undefined; readonly isAssumptions: boolean };

function readFiles(source: Source, problems: Flaw[]): Read[] {
  const { folder } = source.behavior;
  const places = [folder, ...findFolders(folder, "planning"), ...findFolders(folder, "guardrails", "planning")];
  const files = places.flatMap((place) => [
    ...findFiles(place, [".json", ".md"], [...criteriaKeys, ...assumptionKeys]),
    ...[...criteriaKeys, ...assumptionKeys].flatMap((name) =>
      findFolders(place, name).flatMap((inner) => findFiles(inner, [".json", ".md"])),
    ),
  ]);
  return files.map((file) => ({
    value: readMaterial(source, file, problems),
    isAssumptions: /assumption/i.test(nameOf(file)),
  }));
}

function criteriaIn(value: Json | undefined): Json[] {
  if (!isObject(value)) return itemsOf(value);
  const listed = criteriaKeys.flatMap((key) => (typeof value[key] === "object" ? itemsOf(value[key]) : []));
  if (listed.length > 0) return listed;
  if (isCriterion(value)) return [value];
  return itemsOf(Object.fromEntries(Object.entries(value).filter(([key]) => !assumptionKeys.includes(key))));
}

function assumptionsIn(value: Json | undefined, isAssumptions: boolean): Json[] {
  const listed = isObject(value) ? assumptionKeys.flatMap((key) => itemsOf(value[key])) : [];
  return listed.length > 0 || !isAssumptions ? listed : itemsOf(value);
}

function isCriterion(value: JsonObject): boolean {
  return value.options !== undefined || isItem(value);
}

function shown(criterion: Json): string {
  if (!isObject(criterion)) return `- ${itemLine(criterion)}`;
  const options = itemsOf(criterion.options).map((option) => `  - ${itemLine(option)}`);
  const outcome = textOf(criterion.outcome).replaceAll(/\s+/g, " ");
  const { options: _, outcome: __, ...head } = criterion;
  return [`- ${itemLine(head)}`, ...options, ...(outcome === "" ? [] : [`  Outcome: ${outcome}`])].join("\n");
}
