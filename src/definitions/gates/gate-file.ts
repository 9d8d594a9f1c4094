import { join } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import type { Check } from "../../gates/check.ts";
import { closedGate, type Gate } from "../../gates/gate.ts";
import { earlierFields } from "../../gates/judge-comparison.ts";
import { isObject } from "../../kit/json.ts";
import { readText } from "../files/json-file.ts";
import { lineOfPath } from "../files/json-locations.ts";
import { valueIn } from "../files/json-value.ts";
import { displayPath } from "../snapshot/display-path.ts";
import { type Listing, listFolder } from "../snapshot/list-folder.ts";
import { readTextFile } from "../snapshot/read-text-file.ts";
import { parseGate } from "./gate-definition.ts";
import { gateErrorMeanings } from "./gate-errors.ts";
import { isGateFile } from "./gate-file-names.ts";

/** Reads the current gate of a folder: undefined if it has none, closed if it is invalid. */
export function readGateIn(
  definitions: DefinitionSnapshot,
  folder: string,
  of: "action" | "phase" = "action",
): Gate | undefined {
  const listing = listFolder(definitions, folder);
  if (listing.unreadable !== undefined) return unreadable(displayPath(definitions.folder, folder), listing.unreadable);
  const misplaced = of === "action" ? misplacedIn(definitions, join(folder, "action_config.json")) : undefined;
  if (misplaced !== undefined)
    return closedGate({ ...misplaced, file: displayPath(definitions.folder, misplaced.path) });
  const [name, other] = gateFilesIn(listing);
  if (name === undefined) return undefined;
  const path = join(folder, name);
  const file = displayPath(definitions.folder, path);
  if (other !== undefined) {
    const message = `the folder has both ${other} and ${name}, but only one can be the gate`;
    return closedGate({ code: "two-gate-files", file, message, fix: "Delete one of them." });
  }
  if (!gateFileNames.includes(name)) {
    const message = `a gate file must be named gate-definition.yaml, not ${name}`;
    return closedGate({ code: "gate-misspelt-name", file, message, fix: "Rename it to gate-definition.yaml." });
  }
  const read = readTextFile(definitions, path, mostBytes);
  if ("missing" in read) return unreadable(file, "the file is a broken link");
  if ("unreadable" in read) return unreadable(file, read.unreadable);
  const parsed = parseGate(read.value, file);
  if ("unusable" in parsed) return closedGate({ file, ...parsed.unusable });
  const { gate } = parsed;
  const back = gate.comparisons.find((comparison) => earlierFields(comparison).length > 0);
  if (of === "action" && back !== undefined) {
    const message = "only a phase can compare with an earlier phase";
    return closedGate({ ...gateErrorMeanings.validator, file, line: back.source?.line ?? 1, message });
  }
  return withSchemas(definitions, gate);
}

/** Adds the text of the schemas to a gate's checks, so that a session's copy includes them. */
function withSchemas(definitions: DefinitionSnapshot, gate: Gate): Gate {
  if (gate.checks === undefined) return gate;
  return { ...gate, checks: gate.checks.map((check) => withSchemaText(definitions, check)) };
}

function withSchemaText(definitions: DefinitionSnapshot, check: Check): Check {
  if (check.kind !== "file" || check.schema === undefined) return check;
  return { ...check, schemaText: readText(definitions, join(definitions.folder, check.schema)) ?? "" };
}

/** Finds gate keys in an action's config; ignoring them would leave the step without a gate. */
function misplacedIn(definitions: DefinitionSnapshot, path: string) {
  const config = valueIn(definitions, path);
  const key = gateKeys.find((one) => isObject(config) && config[one] !== undefined && config[one] !== false);
  if (key === undefined) return undefined;
  const message = `${key} belongs in the gate file, not in action_config.json`;
  const fix = "Move it to gate-definition.yaml in the same folder.";
  return { ...gateErrorMeanings.key, fix, path, line: lineOfPath(definitions, path, [key]), message };
}

/** The keys of a gate file that close a gate if an action's config has them. */
export const gateKeys = ["evidence_schema", "cross_field_validation", "checks", "fresh", "runner", "approval"];

/** The gate files of a folder, including misspelled ones, which would otherwise leave the step open. */
export function gateFilesIn({ files, folders }: Listing): string[] {
  return [...files, ...folders].filter(isGateFile);
}

const gateFileNames = ["gate-definition.yaml", "gate-definition.yml"];

/** The size of the largest gate file. */
const mostBytes = 256 * 1024;

function unreadable(file: string, message: string): Gate {
  return closedGate({ ...gateErrorMeanings.yaml, file, message });
}
