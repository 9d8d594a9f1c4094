import { sessionView } from "../../workflow/session-view.ts";
import type { StreamSnapshot } from "../../workflow/stream-snapshot.ts";

/** The text of a session's file; undefined if there is nothing to show. */
export function sessionFileText(id: string, stream: StreamSnapshot): string | undefined {
  const view = sessionView(id, stream);
  if (view === null) return undefined;
  const { options: _, workflow_complete: __, archived: ___, ...fields } = view;
  return `${JSON.stringify(fields, null, 2)}\n`;
}
