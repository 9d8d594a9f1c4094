import { readFileSync, rmSync } from "node:fs";
import { launchBrowser } from "../scripts/browser.mjs";
import { plantRuns, startDashboard } from "./dashboard-data.mjs";
import { median, report } from "./wire.mjs";

/** The page in a real browser: how soon it is there, how it scrolls, what it holds. */
const isSmall=false;
const browser = await launchBrowser();
/** Opens an address in its own tab; returns the time of its first paint and of the first matching element. */
async function opened(url, wanted) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript((selector) => {
    new MutationObserver((_, watch) => {
      if (document.querySelector(selector) === null) return;
      window.cameAt = performance.now();
      watch.disconnect();
    }).observe(document, { childList: true, subtree: true });
  }, wanted);
  await page.goto(url);
  await page.locator(wanted).first().waitFor();
  const [paint, came] = await page.evaluate(() => [
    performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
    window.cameAt,
  ]);
  return { page, context, paint, came };
}

/** The list of few runs and of very many, opened in turns; answers the median times of its first paint and of its first row. */
const counts = isSmall ? [10, 1000] : [10, 10_000];
const lists = [];
for (const runs of counts) {
  const { root } = await plantRuns({ runs, events: 100 });
  const one = await startDashboard(root);
  while (JSON.parse(await one.ask("runs")).isPartial) await new Promise((done) => setTimeout(done, 200));
  lists.push({ runs, root, board: one, paints: [], rows: [], bytes: (await one.ask("runs")).length });
}
for (let round = 0; round < 9; round++)
  for (const one of lists) {
    const { context, paint, came } = await opened(`${one.board.url}/runs`, ".row");
    one.paints.push(paint);
    one.rows.push(came);
    await context.close();
  }
const [few, many] = lists;
for (const [what, of] of [
  ["first paint", "paints"],
  ["first row", "rows"],
]) {
  const [before, after] = [median(few[of]), median(many[of])];
  const said = `${(after / before).toFixed(2)} × (${after.toFixed(0)} ms against ${before.toFixed(0)})`;
  report(`${what} of ${many.runs.toLocaleString("en")} runs against ${few.runs}`, after / before, 1.3, said);
}
console.log(`the list: ${many.bytes} bytes against ${few.bytes}`);
for (const { board: one, root } of lists) {
  await one.stop();
  rmSync(root, { recursive: true, force: true });
}
await browser.close();
