import { answerHook } from "../../src/cli/work/hook.ts";
import type { Project } from "../project.ts";

/** One of a host's sessions, as its hook is told of it. */
export type HostSessionHere = {
  tell(event: string, more?: Record<string, unknown>): Promise<Record<string, unknown>>;
};

/** A session of Claude Code in a project: everything that it tells its hook has the common fields. */
export function claudeSession(project: Pick<Project, "root">, session: string): HostSessionHere {
  return {
    tell: async (event, more = {}) =>
      JSON.parse(
        await answerHook(
          "claude",
          event,
          JSON.stringify({ session_id: session, cwd: project.root, hook_event_name: event, ...more }),
        ),
      ),
  };
}

/** The text that an answer puts before the model; "" where it puts none. */
export function contextIn(answer: Record<string, unknown>): string {
  const { additionalContext = "" } = (answer.hookSpecificOutput ?? {}) as { additionalContext?: string };
  return additionalContext;
}

/** The reason of a denial; undefined where nothing is denied. */
export function denialIn(answer: Record<string, unknown>): string | undefined {
  const said = (answer.hookSpecificOutput ?? {}) as { permissionDecision?: string; permissionDecisionReason?: string };
  return said.permissionDecision === "deny" ? said.permissionDecisionReason : undefined;
}
