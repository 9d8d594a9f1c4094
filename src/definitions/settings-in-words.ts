import type { Chosen } from "./settings.ts";

/** The settings that a bot is walked under, in words for the record: each that is not as usual is named, so that every flip shows. */
export function botSettingsInWords(chosen: Chosen): string {
  const { externalEdits, ordered, strict, wordLevel } = chosen;
  return [
    `external_edits ${externalEdits}`,
    `behaviors ${ordered ? "ordered" : "any"}`,
    ...(wordLevel === undefined ? [] : [`approvals ${wordLevel}`]),
    ...(strict ? ["strict"] : []),
    ...unusual(chosen),
  ].join(", ");
}

/** The same for a session, which goes by fewer of them. */
export function sessionSettingsInWords(chosen: Chosen): string {
  return [`approvals ${chosen.wordLevel ?? "relayed"}`, ...unusual(chosen)].join(", ");
}

function unusual({ history, checksWait, search }: Chosen): readonly string[] {
  return [
    ...(history === "local" ? [] : [`history ${history}`]),
    ...(checksWait === undefined ? [] : [`checks wait ${checksWait}s`]),
    ...(search === undefined ? [] : [`search ${search}`]),
  ];
}
