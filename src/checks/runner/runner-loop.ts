import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { ClaimedCheck } from "../../engine/ports/runners.ts";
import { type ClaimDeps, runClaim } from "./run-claim.ts";

export type LoopDeps = ClaimDeps & {
  /** The public key that results are signed with. */
  readonly public: string;
};

/** The seconds for which the server may keep a claim waiting. */
const waitSeconds = 20;

/** Claims and runs checks, one at a time, until it is stopped; rejects if the server turns the runner away. */
export async function runLoop(deps: LoopDeps, stop: AbortSignal): Promise<void> {
  const instance = randomBytes(16).toString("hex");
  for (let failures = 0; !stop.aborted; ) {
    try {
      const { status, said } = await deps.link({ do: "claim", public: deps.public, instance, wait: waitSeconds }, stop);
      if (status === 401 || status === 404) throw new TurnedAway(String(said.message ?? status));
      if (status !== 200) throw new NotNow(String(said.message ?? status));
      if (failures > 0) deps.say("The server takes this runner again.");
      failures = 0;
      const claimed = said.claimed as unknown as ClaimedCheck | null;
      if (claimed === null || claimed === undefined) continue;
      await runClaim(deps, claimed, stop);
    } catch (fault) {
      if (stop.aborted) return;
      if (fault instanceof TurnedAway) throw fault;
      failures += 1;
      if (failures === 1 && fault instanceof NotNow) deps.say(fault.message);
      else if (failures === 1)
        deps.say(`The server can't be reached (${fault instanceof Error ? fault.message : fault}). Trying again.`);
      await pause(Math.min(200 * 2 ** failures, 10_000), undefined, { signal: stop }).catch(() => undefined);
    }
  }
}

/** The server answers, but not with work: an approver may trust this key later. */
class NotNow extends Error {}

/** The server does not let this runner work. */
export class TurnedAway extends Error {}
