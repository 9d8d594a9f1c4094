import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What somebody who cannot see the page, or not well, would stumble over: what axe calls serious or worse. */
export async function stumblings(page: Page): Promise<unknown> {
  await page.evaluate(axe);
  return page.evaluate(`axe.run(document).then(({ violations }) => violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 200))]))`);
}

/** How pages are looked at: in both colours, on a desk and on a phone. */
export const lookedAt = [
  { colorScheme: "light", width: 1440 },
  { colorScheme: "dark", width: 390 },
  { colorScheme: "light", width: 390 },
  { colorScheme: "dark", width: 1440 },
] as const;
