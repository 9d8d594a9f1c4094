import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { goThrough, type Strike } from "./go-through.ts";
import type { Fault, Injector } from "./injector.ts";
import { checkPromises, type Said } from "./promises.ts";
import { saidBy } from "./said-by.ts";

/** Which faults to go through. */
export type Sweep = {
  readonly calls: readonly Fault["call"][];
  readonly kinds: readonly Fault["kind"][];
  readonly step: number;
  /** Milliseconds between transitions: a retired copy is used again only after a while. */
  readonly pause: number;
};

/** Bundles the window that the faults happen to. */
export function buildWindow(folder: string): string {
  const outfile = join(folder, "window.mjs");
  const entry = join(import.meta.dirname, "window.ts");
  buildSync({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "esm", target: "node20" });
  return outfile;
}

/** Runs the script once for every fault, several at a time, and checks the promises after each. */
export function sweep(
  title: string,
  folder: string,
  window: string,
  injector: Injector,
  { calls, kinds, step, pause }: Sweep,
): ReturnType<typeof goThrough> {
  const series = calls.flatMap((call) => kinds.map((kind) => ({ call, kind, step })));
  return goThrough(title, series, (fault) => strike(folder, window, injector, fault, pause));
}

async function strike(
  folder: string,
  window: string,
  injector: Injector,
  fault: Fault,
  pause: number,
): Promise<Strike> {
  const area = mkdtempSync(join(folder, "area-"));
  const mark = `${area}.fired`;
  const { env, args } = injector.prepare(fault, area, mark);
  const said = await saidBy<Said>([...args, window, area, `${pause}`], env);
  try {
    await checkPromises(area, said);
  } catch (error) {
    throw new Error(`${fault.call} ${fault.n} ${fault.kind} in ${area}: ${JSON.stringify(said)}`, { cause: error });
  }
  const isFired = existsSync(mark);
  rmSync(area, { recursive: true });
  return { isFired, acknowledged: said.filter(({ status }) => status === "recorded").length };
}
