import type { DeskParts } from "./desk-parts.ts";
import type { PlanReading, Snapshot } from "./ports.ts";

/** Reads the definitions and the history of a desk at the same time; rejects where either cannot be read. */
export async function readDesk({
  id,
  log,
  definitions,
}: Pick<DeskParts, "id" | "log" | "definitions">): Promise<{ reading: PlanReading; snapshot: Snapshot }> {
  const looking = log.look(id);
  const [reading, snapshot] = await Promise.all([definitions.plan(looking), looking]);
  return { reading, snapshot };
}
