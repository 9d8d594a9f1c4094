import { sessionView } from "../../words/session-view.ts";
import type { Desk } from "../../workflow/desk.ts";

/** What the file of a session says at this point of its history; undefined where there is nothing to show. */
export function sessionFileText(id: string, desk: Desk): string | undefined {
  const view = sessionView(id, desk);
  if (view === null) return undefined;
  const { options: _, workflow_complete: __, archived: ___, ...fields } = view;
  return `${JSON.stringify(fields, null, 2)}\n`;
}
