import { isObject, type JsonObject } from "../evidence/json.ts";
import type { Occasion } from "./occasion.ts";
import { toolUse } from "./tool-use.ts";

/** Understands what a host tells its hook; whatever is missing or strange is left out. */
export function readOccasion(event: string, input: JsonObject): Occasion {
  const about = { ...sessionOf(input), ...cwdOf(input) };
  const kind = kinds.get(event.toLowerCase()) ?? "other";
  switch (kind) {
    case "before":
    case "after":
      return { ...about, kind, use: toolUse(event, input) };
    case "stop":
      // Where a person broke it off, or it failed, nobody is to be sent on.
      if (/^(aborted|cancelled|error)$/.test(String(input.status ?? ""))) return { ...about, kind: "other" };
      return { ...about, kind, again: input.stop_hook_active === true || Number(input.loop_count ?? 0) > 0 };
    case "prompt":
      // Some hosts say that a prompt was submitted after each tool as well; it is empty then.
      return { ...about, kind: input.prompt === "" ? "other" : kind };
    default:
      return { ...about, kind };
  }
}

/** What each host calls the moments that matter. */
const kinds: ReadonlyMap<string, Occasion["kind"]> = new Map(
  Object.entries<Occasion["kind"]>({
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

function sessionOf(input: JsonObject): Pick<Occasion, "session"> {
  const { session_id, sessionId, sessionID, conversation_id } = input;
  const session = [session_id, sessionId, sessionID, conversation_id].find(
    (one) => typeof one === "string" && one !== "",
  );
  return typeof session === "string" ? { session } : {};
}

function cwdOf({ cwd, workspace_roots: roots }: JsonObject): Pick<Occasion, "cwd"> {
  const [first] = Array.isArray(roots) ? roots : [];
  const folder = typeof cwd === "string" && cwd !== "" ? cwd : first;
  return typeof folder === "string" && folder !== "" ? { cwd: folder } : {};
}

/** What a hook was sent, as an object; an empty one where it was something else. */
export function parseInput(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
