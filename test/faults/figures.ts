import { appendFileSync } from "node:fs";

/** What one part of the fault runs came to. What was acknowledged and is lost fails the part: where there are figures, it is none. */
export type Figures = {
  readonly part: string;
  readonly faults: number;
  readonly acknowledged: number;
  /** How the faults came about, or what else was seen. */
  readonly how: string;
};

/** Says what a part came to, and keeps it for the closing table of `npm run faults`. */
export function report(figures: Figures): void {
  const { part, faults, acknowledged, how } = figures;
  process.stdout.write(`${part}: ${faults} faults, ${acknowledged} acknowledged, 0 lost (${how})\n`);
  const file = process.env.WAYMARK_FAULTS_FIGURES;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(figures)}\n`);
}

/** Says how far a part is, now and then, where all of it is gone through. */
export function progress(part: string, done: number, of?: number): void {
  if (process.env.WAYMARK_TESTS !== "all" || done % 25 !== 0) return;
  process.stdout.write(`${part}: ${done}${of === undefined ? "" : ` of ${of}`} so far\n`);
}
