import { randomUUID } from "node:crypto";
import { UserFault } from "./fault.ts";
import { print, printJson } from "./print.ts";
import { type PlaceOptions, workplaceFor } from "./workplace.ts";

export type ArchiveOptions = PlaceOptions & { readonly reason?: string; readonly json?: true };

/** Puts a session away: only a person does that, never a tool call. What it proved stays on record. */
export async function archive(session: string, options: ArchiveOptions): Promise<void> {
  const { phased } = workplaceFor(options);
  const connection = { id: randomUUID(), unanswered: new Set<string>() };
  const { outcome, session: view } = await phased.archive(connection, session, options.reason);
  if (outcome.kind === "refused") {
    const isMissing = outcome.refusal.error === "session_not_found";
    throw new UserFault(
      `${outcome.refusal.message} ${isMissing ? "waymark status lists them." : outcome.refusal.required_action}`,
    );
  }
  if (options.json) return printJson(view);
  print(`${session} is archived. The next start_workflow for the same target begins a new session.`);
}
