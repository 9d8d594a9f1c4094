import { type JsonObject, parsedObject } from "../../kit/json.ts";
import type { HookEvent } from "./hook-event.ts";
import { toolUse } from "./tool-use.ts";

/** Parses a host's hook input; missing and unknown parts are ignored. */
export function parseHookEvent(event: string, input: JsonObject): HookEvent {
  const about = { ...sessionOf(input), ...cwdOf(input) };
  const kind = kinds.get(event.toLowerCase()) ?? "other";
  switch (kind) {
    case "before":
    case "after":
      return { ...about, kind, use: toolUse(event, input) };
    case "stop":
      // After an abort or an error no one should be sent back to work.
      if (/^(aborted|cancelled|error)$/.test(String(input.status ?? ""))) return { ...about, kind: "other" };
      return { ...about, kind, again: input.stop_hook_active === true || Number(input.loop_count ?? 0) > 0 };
    case "prompt":
      // Some hosts also report an empty prompt after each tool.
      return { ...about, kind: input.prompt === "" ? "other" : kind };
    default:
      return { ...about, kind };
  }
}

/** The event names of each host. */
const kinds: ReadonlyMap<string, HookEvent["kind"]> = new Map(
  Object.entries<HookEvent["kind"]>({
    sessionstart: "start",
    userpromptsubmit: "prompt",
    userpromptsubmitted: "prompt",
    beforeagent: "prompt",
    beforesubmitprompt: "prompt",
    "experimental.chat.system.transform": "prompt",
    pretooluse: "before",
    beforetool: "before",
    beforeshellexecution: "before",
    beforemcpexecution: "before",
    "tool.execute.before": "before",
    posttooluse: "after",
    aftertool: "after",
    aftermcpexecution: "after",
    "tool.execute.after": "after",
    stop: "stop",
    afteragent: "stop",
    agentstop: "stop",
    "session.idle": "stop",
    precompact: "compacting",
    postcompact: "compacting",
    precompress: "compacting",
    "experimental.session.compacting": "compacting",
  }),
);

function sessionOf(input: JsonObject): Pick<HookEvent, "session"> {
  const { session_id, sessionId, sessionID, conversation_id } = input;
  const session = [session_id, sessionId, sessionID, conversation_id].find(
    (one) => typeof one === "string" && one !== "",
  );
  return typeof session === "string" ? { session } : {};
}

function cwdOf({ cwd, workspace_roots: roots }: JsonObject): Pick<HookEvent, "cwd"> {
  const [first] = Array.isArray(roots) ? roots : [];
  const folder = typeof cwd === "string" && cwd !== "" ? cwd : first;
  return typeof folder === "string" && folder !== "" ? { cwd: folder } : {};
}

/** Parses the input of a hook as an object; empty for anything else. */
export function parseHookInput(text: string): JsonObject {
  return parsedObject(text) ?? {};
}
