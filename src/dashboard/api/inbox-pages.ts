import type { OpenPage } from "../../engine/answer-page.ts";
import type { EventLog } from "../../engine/ports/event-log.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { runKey } from "../overview/run-key.ts";
import type { BoardProject } from "./ports.ts";

/**
 * Sends people to the team dashboard's inbox; the address holds no token, because they use their own and their passkey.
 */
export function inboxPages(project: string, place: InboxProject, origin: string): OpenPage {
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
    const { seen } = await log.load(id);
    return {
      url: `${origin}/?project=${encodeURIComponent(project)}#/inbox/${path}`,
      answered: () => waitForAnswer(log, id, seen),
    };
  };
}

type InboxProject = Pick<BoardProject, "candidates" | "logs">;

async function logOf(place: InboxProject, id: StreamId): Promise<EventLog | undefined> {
  for (const { log } of await place.logs()) if (await log.has(id)) return log;
  return undefined;
}

/** The milliseconds to wait for an answer, longer than any call. */
const maxWaitMs = 60_000;

/** Resolves once an answer is recorded after this position, by any replica, or once waiting times out. */
function waitForAnswer(log: EventLog, id: StreamId, after: number): Promise<void> {
  let seen = after;
  return new Promise((done) => {
    const end = (): void => {
      clearTimeout(timer);
      stop();
      done();
    };
    const timer = setTimeout(end, maxWaitMs).unref();
    const look = async (): Promise<void> => {
      for await (const { seq, events } of log.records(id, seen)) {
        seen = seq;
        if (events.some(({ type }) => answers.has(type))) return end();
      }
    };
    const lookNow = (): void => void look().catch(() => undefined); // the next change tries again
    const stop = log.watch(id, lookNow);
    lookNow(); // nothing signals what was recorded before
  });
}

const answers: ReadonlySet<string> = new Set(["approved", "declined", "waived", "completed"]);
