import type { Level } from "../../evidence/approval.ts";
import type { Gate } from "../../evidence/gate.ts";
import type { Problem } from "../../evidence/problem.ts";
import { wordAsked } from "../../workflow/need.ts";
import { readPhased } from "../phases/read-phased.ts";
import { workflowPlaces } from "../phases/workflow-places.ts";
import { readSettings } from "../settings.ts";
import type { Noted } from "./finding.ts";
import { noteProblem } from "./inspect-loading.ts";
import type { Surroundings, Survey } from "./survey.ts";

/** Reports gates that ask for the approval of people who have no key here: nobody could pass them. */
export function inspectApprovals({ definitions, bots }: Survey, { approvers }: Surroundings): Noted[] {
  if ("problem" in approvers) return []; // said of that file
  const { wordLevel } = readSettings(definitions).settings;
  const types = [...new Set(workflowPlaces(definitions).places.map(({ type }) => type))];
  const gates = [
    ...bots.flatMap(({ workflows }) => workflows.flatMap(({ steps }) => steps.flatMap(({ gate }) => gate ?? []))),
    ...types.flatMap((type) =>
      (readPhased(definitions, definitions, type, {}).draft?.phases ?? []).map(({ gate }) => gate),
    ),
  ];
  const found = gates.flatMap((gate) => problemsOf(gate, approvers, wordLevel));
  return found.map((problem) => noteProblem(definitions, problem));
}

function problemsOf(gate: Gate, approvers: readonly string[], wordLevel: Level | undefined): readonly Problem[] {
  const { approvalSource: place } = gate;
  const { level, by, count } = wordAsked(gate, wordLevel === undefined ? {} : { wordLevel });
  if (!gate.approval || gate.closed !== undefined || level !== "proven" || place === undefined) return [];
  const enroll = "Have them enroll: waymark approve --enroll NAME; then waymark trust.";
  const unknown = (by ?? []).filter((name) => !approvers.includes(name));
  const able = by === undefined ? new Set(approvers) : new Set(by.filter((name) => approvers.includes(name)));
  const of = able.size < count ? ", so nobody can pass it" : "";
  if (unknown.length > 0)
    return [
      {
        code: "unknown-approver",
        ...place,
        message: `the gate asks for the approval of ${unknown.join(", ")}, who has no key in approvers.json${of}`,
        fix: enroll,
      },
    ];
  if (able.size >= count) return [];
  const message = `the gate asks for the proven approval of ${count === 1 ? "a person" : `${count} people`}, and approvers.json names ${able.size}${of}`;
  return [{ code: "unknown-approver", ...place, message, fix: enroll }];
}
