import type { TeamSettings } from "./team-settings.ts";

/** The settings that apply to a bot, in words for the record; those that differ from the default are named. */
export function botSettingsInWords(chosen: TeamSettings): string {
  const { externalEdits, ordered, strict, approvalLevel } = chosen;
  return [
    `external_edits ${externalEdits}`,
    `behaviors ${ordered ? "ordered" : "any"}`,
    ...(approvalLevel === undefined ? [] : [`approvals ${approvalLevel}`]),
    ...(strict ? ["strict"] : []),
    ...unusual(chosen),
  ].join(", ");
}

/** The settings that apply to a session, in words for the record. */
export function sessionSettingsInWords(chosen: TeamSettings): string {
  return [`approvals ${chosen.approvalLevel ?? "relayed"}`, ...unusual(chosen)].join(", ");
}

function unusual({ history, checksWait, search, standards }: TeamSettings): readonly string[] {
  return [
    ...(history === "local" ? [] : [`history ${history}`]),
    ...(checksWait === undefined ? [] : [`checks wait ${checksWait}s`]),
    ...(search === undefined ? [] : [`search ${search}`]),
    ...(standards === undefined ? [] : [`standards ${standards}`]),
  ];
}
