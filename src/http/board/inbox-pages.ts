import type { DeskId, EventLog } from "../../engine/ports.ts";
import type { OpenPage } from "../../mcp/ask-elsewhere.ts";
import { runKey } from "../../overview/summary.ts";
import type { BoardProject } from "./ports.ts";

/**
 * Takes people whose assistant's client opens pages to what waits, in the inbox of their team's dashboard. The address holds no
 * token: they answer there with their own, and with their passkey.
 */
export function inboxPages(project: string, place: Place, origin: string): OpenPage {
  const { hostname } = new URL(origin);
  return async ({ reply: { id, outcome } }) => {
    if (outcome.kind !== "awaiting") return undefined;
    const canAnswer = (await place.candidates()).some(
      ({ approver, trusted }) => trusted && approver.kind === "passkey" && approver.rpId === hostname,
    );
    const log = canAnswer ? await logOf(place, id) : undefined;
    if (log === undefined) return undefined;
    const { workflow, step } = outcome.ref;
    const path = [runKey(id), workflow, step].map(encodeURIComponent).join("/");
    const { seen } = await log.look(id);
    return {
      url: `${origin}/?project=${encodeURIComponent(project)}#/inbox/${path}`,
      answered: () => answeredIn(log, id, seen),
    };
  };
}

type Place = Pick<BoardProject, "candidates" | "logs">;

async function logOf(place: Place, id: DeskId): Promise<EventLog | undefined> {
  for (const { log } of await place.logs()) if (await log.has(id)) return log;
  return undefined;
}

/** So long somebody is waited for, in milliseconds: no call waits longer. */
const waitedFor = 60_000;

/** Ends when a person's answer is on record after so many records, whichever replica took it, or when nobody waits any more. */
function answeredIn(log: EventLog, id: DeskId, after: number): Promise<void> {
  let seen = after;
  return new Promise((done) => {
    const end = (): void => {
      clearTimeout(timer);
      stop();
      done();
    };
    const timer = setTimeout(end, waitedFor).unref();
    const look = async (): Promise<void> => {
      for await (const { seq, events } of log.records(id, seen)) {
        seen = seq;
        if (events.some(({ type }) => answers.has(type))) return end();
      }
    };
    const lookNow = (): void => void look().catch(() => undefined); // the next hint looks again
    const stop = log.follow(id, lookNow);
    lookNow(); // what was recorded before that is told of by nobody
  });
}

const answers: ReadonlySet<string> = new Set(["approved", "declined", "completed"]);
