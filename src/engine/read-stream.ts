import type { EngineDeps } from "./engine-deps.ts";
import type { PlanReading } from "./ports/definitions.ts";
import type { LoadedStream } from "./ports/event-log.ts";

/** Reads the definitions and the history of a stream together; rejects if either cannot be read. */
export async function readStream({
  id,
  log,
  definitions,
}: Pick<EngineDeps, "id" | "log" | "definitions">): Promise<{ reading: PlanReading; snapshot: LoadedStream }> {
  const looking = log.load(id);
  const [reading, snapshot] = await Promise.all([definitions.plan(looking), looking]);
  return { reading, snapshot };
}
