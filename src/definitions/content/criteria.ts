import { isObject, type Json, type JsonObject } from "../../kit/json.ts";
import type { LoaderProblem } from "../loader-problem.ts";
import { textIn } from "../rules/text-in.ts";
import { findFiles, findFolders, materialName } from "./find-material-files.ts";
import { instructionsIn } from "./instructions.ts";
import { isItem, itemLine, itemsOf } from "./item-line.ts";
import { type MaterialFound, type MaterialSource, onePiece, readMaterial } from "./material-source.ts";

const criteriaKeys = ["decision_criteria", "planning_criteria", "strategy_criteria", "criteria"];
const assumptionKeys = ["typical_assumptions", "assumptions"];
const activityKeys = ["recommended_human_activity", "recommended_activity", "human_activity"];

/** Finds the planning material of a behavior: criteria with options, assumptions, and activities for people. */
export function findPlanning(source: MaterialSource): {
  readonly criteria: MaterialFound;
  readonly assumptions: MaterialFound;
  readonly activity: MaterialFound;
} {
  const problems: LoaderProblem[] = [];
  const { folder } = source.behavior;
  const places = ["planning", "strategy"].flatMap((name) => [
    ...findFolders(source.definitions, folder, name),
    ...findFolders(source.definitions, folder, "guardrails", name),
  ]);
  const leads = places.flatMap((place) => instructionsIn(source, place, problems));
  const files = readFiles(source, places, problems);
  const criteria = files.flatMap(({ value, about }) => (about === "criteria" ? criteriaIn(value) : []));
  const lines = (keys: readonly string[], about: PlanningTopic): string =>
    files
      .flatMap(({ value, about: own }) => listedIn(value, keys, own === about))
      .map(itemLine)
      .filter((line) => line !== "")
      .map((line) => `- ${line}`)
      .join("\n");
  return {
    criteria: { pieces: onePiece("decision_criteria", criteria.map(shown).join("\n")), leads, problems },
    assumptions: { pieces: onePiece("assumptions", lines(assumptionKeys, "assumptions")), problems },
    activity: { pieces: onePiece("human_activity", lines(activityKeys, "activity")), problems },
  };
}

type PlanningTopic = "criteria" | "assumptions" | "activity";
type PlanningFile = { readonly value: Json | undefined; readonly about: PlanningTopic };

/** Reads planning files: every file of a planning folder, elsewhere only those named so. */
function readFiles(source: MaterialSource, places: readonly string[], problems: LoaderProblem[]): PlanningFile[] {
  const names = [...criteriaKeys, ...assumptionKeys, ...activityKeys];
  const { folder } = source.behavior;
  const inner = [...(folder === undefined ? [] : [folder]), ...places].flatMap((place) =>
    names.flatMap((name) => findFolders(source.definitions, place, name)),
  );
  const files = [
    ...findFiles(source.definitions, folder, [".json", ".md"], names),
    ...[...places, ...inner].flatMap((place) => findFiles(source.definitions, place, [".json", ".md"])),
  ].filter((file) => materialName(file) !== "instructions");
  return files.map((file) => ({ value: readMaterial(source, file, problems), about: aboutOf(materialName(file)) }));
}

function aboutOf(name: string): PlanningTopic {
  if (name.includes("assumption")) return "assumptions";
  return name.includes("activity") ? "activity" : "criteria";
}

function criteriaIn(value: Json | undefined): Json[] {
  if (!isObject(value)) return itemsOf(value);
  const listed = criteriaKeys.flatMap((key) => (typeof value[key] === "object" ? itemsOf(value[key]) : []));
  if (listed.length > 0) return listed;
  if (isCriterion(value)) return [value];
  const others = [...assumptionKeys, ...activityKeys];
  return itemsOf(Object.fromEntries(Object.entries(value).filter(([key]) => !others.includes(key))));
}

function listedIn(value: Json | undefined, keys: readonly string[], isWhole: boolean): Json[] {
  const listed = isObject(value) ? keys.flatMap((key) => itemsOf(value[key])) : [];
  return listed.length > 0 || !isWhole ? listed : itemsOf(value);
}

function isCriterion(value: JsonObject): boolean {
  return value.options !== undefined || isItem(value);
}

function shown(criterion: Json): string {
  if (!isObject(criterion)) return `- ${itemLine(criterion)}`;
  const options = itemsOf(criterion.options).map((option) => `  - ${itemLine(option)}`);
  const outcome = textIn(criterion.outcome).replaceAll(/\s+/g, " ");
  const { options: _, outcome: __, ...head } = criterion;
  return [`- ${itemLine(head)}`, ...options, ...(outcome === "" ? [] : [`  Outcome: ${outcome}`])].join("\n");
}
