import { join } from "node:path";
import type { Check } from "../../evidence/check.ts";
import { lookedBackTo } from "../../evidence/evidence-comparison.ts";
import { closedGate, type Gate, type Source } from "../../evidence/gate.ts";
import { isObject } from "../../evidence/json.ts";
import { type Listing, listFolder } from "../folder.ts";
import { lineIn } from "../json-place.ts";
import { valueIn } from "../json-value.ts";
import { liveFile } from "../live-file.ts";
import { shownIn } from "../shown.ts";
import { meanings } from "./complaints.ts";
import { parseGate } from "./gate-definition.ts";

/** Reads the gate of a folder as it stands now; undefined where it has none, closed where it has one that cannot be trusted. */
export function readGateIn(folder: string, definitions: string, of: "action" | "phase" = "action"): Gate | undefined {
  const listing = listFolder(folder);
  if (listing.unreadable !== undefined) return unreadable(shownIn(definitions, folder), listing.unreadable);
  const misplaced = of === "action" ? misplacedIn(join(folder, "action_config.json")) : undefined;
  if (misplaced !== undefined) return closedGate({ ...misplaced, file: shownIn(definitions, misplaced.path) });
  const [name, other] = gateFilesIn(listing);
  if (name === undefined) return undefined;
  const path = join(folder, name);
  const file = shownIn(definitions, path);
  if (other !== undefined) {
    const message = `${other} stands beside ${name}, and only one can be the gate`;
    return closedGate({ code: "two-gate-files", file, message, fix: "Delete one of the two." });
  }
  if (!gateFileNames.includes(name)) {
    const message = `a gate file is named gate-definition.yaml, not ${name}`;
    return closedGate({ code: "gate-misspelt-name", file, message, fix: "Rename it to gate-definition.yaml." });
  }
  const read = readDefinition(path);
  if ("missing" in read) return unreadable(file, "the file is a link that leads nowhere");
  if ("unreadable" in read) return unreadable(file, read.unreadable);
  if ("unusable" in read.value) return closedGate({ file, ...read.value.unusable });
  const { gate } = read.value;
  const back = gate.comparisons.find((comparison) => lookedBackTo(comparison).length > 0);
  if (of === "action" && back !== undefined) {
    const message = "only a phase can be compared with an earlier phase";
    return closedGate({ ...meanings.validator, file, line: back.source?.line ?? 1, message });
  }
  return withSchemas(placedIn(gate, file), definitions);
}

/** The gate with what the schemas of its checks say: they are part of it, also of the copy that a session keeps. */
function withSchemas(gate: Gate, definitions: string): Gate {
  if (gate.checks === undefined) return gate;
  return { ...gate, checks: gate.checks.map((check) => withSchemaText(check, definitions)) };
}

function withSchemaText(check: Check, definitions: string): Check {
  if (check.kind !== "file" || check.schema === undefined) return check;
  const read = readSchemaText(join(definitions, check.schema));
  return { ...check, schemaText: "value" in read ? read.value : "" };
}

/** What a gate asks for, written where nothing reads it: a gate that is overlooked would stand open. */
function misplacedIn(path: string) {
  const config = valueIn(path);
  const key = gateKeys.find((one) => isObject(config) && config[one] !== undefined && config[one] !== false);
  if (key === undefined) return undefined;
  const message = `${key} is for the gate, and action_config.json says nothing of gates`;
  const fix = "Write it into gate-definition.yaml beside it.";
  return { ...meanings.key, fix, path, line: lineIn(path, [key]), message };
}

/** The keys of a gate file that close a gate where they stand in an action's config. */
export const gateKeys = ["evidence_schema", "cross_field_validation", "checks", "fresh", "approval"];

/** The names in a folder that are meant as a gate, misspelt ones among them: a gate that is overlooked would stand open. */
export function gateFilesIn({ files, folders }: Listing): string[] {
  return [...files, ...folders].filter((name) => /^gate[-_ ]?definitions?\.(ya?ml|json)$/i.test(name));
}

const gateFileNames = ["gate-definition.yaml", "gate-definition.yml"];

const readSchemaText = liveFile((text) => text);
const readDefinition = liveFile((text) => parseGate(text), 256 * 1024);

/** The gate, each of its demands with the file it really stands in. */
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
  return closedGate({ ...meanings.yaml, file, message });
}
