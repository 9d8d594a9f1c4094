import { join } from "node:path";
import type { Check } from "../../gates/check.ts";
import { closedGate, type Gate } from "../../gates/gate.ts";
import { earlierFields } from "../../gates/judge-comparison.ts";
import type { Source } from "../../gates/source.ts";
import { isObject } from "../../kit/json.ts";
import { lineOfPath } from "../files/json-locations.ts";
import { valueIn } from "../files/json-value.ts";
import { displayPath } from "../snapshot/display-path.ts";
import { type Listing, listFolder } from "../snapshot/list-folder.ts";
import { liveFile } from "../snapshot/live-file.ts";
import { parseGate } from "./gate-definition.ts";
import { gateErrorMeanings } from "./gate-errors.ts";

/** Reads the current gate of a folder: undefined if it has none, closed if it is invalid. */
export function readGateIn(folder: string, definitions: string, of: "action" | "phase" = "action"): Gate | undefined {
  const listing = listFolder(folder);
  if (listing.unreadable !== undefined) return unreadable(displayPath(definitions, folder), listing.unreadable);
  const misplaced = of === "action" ? misplacedIn(join(folder, "action_config.json")) : undefined;
  if (misplaced !== undefined) return closedGate({ ...misplaced, file: displayPath(definitions, misplaced.path) });
  const [name, other] = gateFilesIn(listing);
  if (name === undefined) return undefined;
  const path = join(folder, name);
  const file = displayPath(definitions, path);
  if (other !== undefined) {
    const message = `the folder has both ${other} and ${name}, but only one can be the gate`;
    return closedGate({ code: "two-gate-files", file, message, fix: "Delete one of them." });
  }
  if (!gateFileNames.includes(name)) {
    const message = `a gate file must be named gate-definition.yaml, not ${name}`;
    return closedGate({ code: "gate-misspelt-name", file, message, fix: "Rename it to gate-definition.yaml." });
  }
  const read = readDefinition(path);
  if ("missing" in read) return unreadable(file, "the file is a broken link");
  if ("unreadable" in read) return unreadable(file, read.unreadable);
  if ("unusable" in read.value) return closedGate({ file, ...read.value.unusable });
  const { gate } = read.value;
  const back = gate.comparisons.find((comparison) => earlierFields(comparison).length > 0);
  if (of === "action" && back !== undefined) {
    const message = "only a phase can compare with an earlier phase";
    return closedGate({ ...gateErrorMeanings.validator, file, line: back.source?.line ?? 1, message });
  }
  return withSchemas(placedIn(gate, file), definitions);
}

/** Adds the text of the schemas to a gate's checks, so that a session's copy includes them. */
function withSchemas(gate: Gate, definitions: string): Gate {
  if (gate.checks === undefined) return gate;
  return { ...gate, checks: gate.checks.map((check) => withSchemaText(check, definitions)) };
}

function withSchemaText(check: Check, definitions: string): Check {
  if (check.kind !== "file" || check.schema === undefined) return check;
  const read = readSchemaText(join(definitions, check.schema));
  return { ...check, schemaText: "value" in read ? read.value : "" };
}

/** Finds gate keys in an action's config; ignoring them would leave the step without a gate. */
function misplacedIn(path: string) {
  const config = valueIn(path);
  const key = gateKeys.find((one) => isObject(config) && config[one] !== undefined && config[one] !== false);
  if (key === undefined) return undefined;
  const message = `${key} belongs in the gate file, not in action_config.json`;
  const fix = "Move it to gate-definition.yaml in the same folder.";
  return { ...gateErrorMeanings.key, fix, path, line: lineOfPath(path, [key]), message };
}

/** The keys of a gate file that close a gate if an action's config has them. */
export const gateKeys = ["evidence_schema", "cross_field_validation", "checks", "fresh", "approval"];

/** The gate files of a folder, including misspelled ones, which would otherwise leave the step open. */
export function gateFilesIn({ files, folders }: Listing): string[] {
  return [...files, ...folders].filter((name) => /^gate[-_ ]?definitions?\.(ya?ml|json)$/i.test(name));
}

const gateFileNames = ["gate-definition.yaml", "gate-definition.yml"];

const readSchemaText = liveFile((text) => text);
const readDefinition = liveFile((text) => parseGate(text), 256 * 1024);

/** Adds the real file to every source in the gate. */
function placedIn(gate: Gate, file: string): Gate {
  const place = <T extends { readonly source?: Source }>(one: T): T =>
    one.source === undefined ? one : { ...one, source: { ...one.source, file } };
  return {
    ...gate,
    requirements: gate.requirements.map(place),
    comparisons: gate.comparisons.map(place),
    ...(gate.checks === undefined ? {} : { checks: gate.checks.map(place) }),
    ...(gate.editsSource === undefined ? {} : { editsSource: { ...gate.editsSource, file } }),
    ...(gate.freshSource === undefined ? {} : { freshSource: { ...gate.freshSource, file } }),
    ...(gate.approvalSource === undefined ? {} : { approvalSource: { ...gate.approvalSource, file } }),
  };
}

function unreadable(file: string, message: string): Gate {
  return closedGate({ ...gateErrorMeanings.yaml, file, message });
}
