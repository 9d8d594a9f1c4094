import { isObject, type Json, type JsonObject } from "../../evidence/json.ts";
import type { Flaw } from "../problem.ts";
import { textOf } from "../rules/text-of.ts";
import { findFiles, findFolders, nameOf } from "./find-files.ts";
import { type Found, onePiece, readMaterial, type Source } from "./found.ts";
import { instructionsIn } from "./instructions.ts";
import { isItem, itemLine, itemsOf } from "./item-line.ts";

const criteriaKeys = ["decision_criteria", "planning_criteria", "strategy_criteria", "criteria"];
const assumptionKeys = ["typical_assumptions", "assumptions"];
const activityKeys = ["recommended_human_activity", "recommended_activity", "human_activity"];

/** What a behavior has its people decide, with the options they have; what it takes for granted; and what people should do themselves. */
export function findPlanning(source: Source): {
  readonly criteria: Found;
  readonly assumptions: Found;
  readonly activity: Found;
} {
  const problems: Flaw[] = [];
  const { folder } = source.behavior;
  const places = ["planning", "strategy"].flatMap((name) => [
    ...findFolders(folder, name),
    ...findFolders(folder, "guardrails", name),
  ]);
  const leads = places.flatMap((place) => instructionsIn(source, place, problems));
  const files = readFiles(source, places, problems);
  const criteria = files.flatMap(({ value, about }) => (about === "criteria" ? criteriaIn(value) : []));
  const lines = (keys: readonly string[], about: About): string =>
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

type About = "criteria" | "assumptions" | "activity";
type Read = { readonly value: Json | undefined; readonly about: About };

/** In a folder of its own every file is about planning; beside other things only what is named so. */
function readFiles(source: Source, places: readonly string[], problems: Flaw[]): Read[] {
  const names = [...criteriaKeys, ...assumptionKeys, ...activityKeys];
  const { folder } = source.behavior;
  const inner = [...(folder === undefined ? [] : [folder]), ...places].flatMap((place) =>
    names.flatMap((name) => findFolders(place, name)),
  );
  const files = [
    ...findFiles(folder, [".json", ".md"], names),
    ...[...places, ...inner].flatMap((place) => findFiles(place, [".json", ".md"])),
  ].filter((file) => nameOf(file) !== "instructions");
  return files.map((file) => ({ value: readMaterial(source, file, problems), about: aboutOf(nameOf(file)) }));
}

function aboutOf(name: string): About {
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
  const outcome = textOf(criterion.outcome).replaceAll(/\s+/g, " ");
  const { options: _, outcome: __, ...head } = criterion;
  return [`- ${itemLine(head)}`, ...options, ...(outcome === "" ? [] : [`  Outcome: ${outcome}`])].join("\n");
}
