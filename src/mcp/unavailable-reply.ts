import { isResourceShortage } from "../kit/out-of-resources.ts";
import { Unavailable } from "../kit/unavailable.ts";
import type { RefusalMessage } from "../messages/refusal-codes.ts";

/** Runs a call; if the machine is out of resources or the store does not answer, refuses it as `unavailable`. */
export async function refuseIfUnavailable<T>(call: () => Promise<T>, refuse: (no: RefusalMessage) => T): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const no = unavailableMessage(error);
    if (no === undefined) throw error;
    return refuse(no);
  }
}

function unavailableMessage(error: unknown): RefusalMessage | undefined {
  if (error instanceof Unavailable) return { error: "unavailable", message: error.message, required_action: error.fix };
  return isResourceShortage(error) ? outOfResources : undefined;
}

const outOfResources: RefusalMessage = {
  error: "unavailable",
  message: "The machine can't open files right now (too many are open, or memory is low).",
  required_action: "Close other programs, then send the same call again; nothing recorded is lost.",
};
