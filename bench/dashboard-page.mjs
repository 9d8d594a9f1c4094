import { readFileSync, rmSync } from "node:fs";
import { launchBrowser } from "../scripts/browser.mjs";
import { plantRuns, startDashboard } from "./dashboard-data.mjs";
import { median, report } from "./wire.mjs";

/** The page in a real browser: how soon it is there, how it scrolls, what it holds. */
const isSmall = process.argv.includes("--small");
const sizes = isSmall ? { runs: 100, events: 4000 } : { runs: 500, events: 20_000 };
const planted = await plantRuns(sizes);
const board = await startDashboard(planted.root);
while (JSON.parse(await board.ask("runs")).whole === null) await new Promise((done) => setTimeout(done, 100));
await board.ask(`runs/${encodeURIComponent(planted.key)}`);
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

/** Scrolls a page through its rows, some a frame; answers how long frames took, how much was drawn at most, and the main thread's own work. */
async function scrolled(page, context, rows) {
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const worked = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration").value * 1000;
  };
  await page.bringToFront();
  const before = await worked();
  const { times, most } = await page.evaluate(async (selector) => {
    // A browser without a screen now and then draws nothing at all: that is a late frame, not the end of the bench.
    const frame = () =>
      new Promise((done) => {
        requestAnimationFrame(done);
        setTimeout(() => done(performance.now()), 1000);
      });
    await frame();
    let [most, last] = [0, await frame()];
    const times = [];
    while (scrollY + innerHeight < document.documentElement.scrollHeight - 2 && times.length < 300) {
      scrollBy(0, 180);
      const now = await frame();
      times.push(now - last);
      last = now;
      most = Math.max(most, document.querySelectorAll(selector).length);
    }
    return { times, most };
  }, rows);
  return { times, most, work: ((await worked()) - before) / times.length };
}

/** Measures a tab in MB: its script heap and, where the system tells, the memory of its process. */
async function held(page, context) {
  const session = await context.newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const whole = await browser.newBrowserCDPSession();
  const { processInfo } = await whole.send("SystemInfo.getProcessInfo");
  const own = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => anonymous(id));
  return { heap: usedSize / 2 ** 20, process: Math.max(...own) };
}

function anonymous(id) {
  try {
    return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

const least = (values) => Math.min(...values);
for (const [title, place, rows] of [
  [`${sizes.runs} runs`, "/runs", ".row"],
  [`a run of ${sizes.events.toLocaleString("en")} events`, `/runs/${encodeURIComponent(planted.key)}`, ".record-row"],
]) {
  // Other work on the machine makes single frames late, so take the calmest of several rounds.
  const rounds = [];
  for (let round = 0; round < 4; round++) {
    const { page, context, paint, came } = await opened(`${board.url}${place}`, rows);
    const { times, most, work } = await scrolled(page, context, rows);
    rounds.push({ paint, came, most, work, times, held: await held(page, context) });
    await context.close();
  }
  const tell = (what, value, budget, unit) =>
    report(`${title}: ${what}`, value, budget, `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`);
  tell("first paint, in milliseconds", least(rounds.map(({ paint }) => paint)), 1000, "ms");
  tell("drawn, in milliseconds", least(rounds.map(({ came }) => came)), 1000, "ms");
  tell(
    "longest frame while it scrolls, in milliseconds",
    least(rounds.map(({ times }) => Math.max(...times))),
    50,
    "ms",
  );
  tell("the page's own work for a frame, in milliseconds", median(rounds.map(({ work }) => work)), 16, "ms");
  tell("rows drawn at most", Math.max(...rounds.map(({ most }) => most)), 100, "rows");
  tell("heap of the tab, in MB", Math.max(...rounds.map((one) => one.held.heap)), 100, "MB");
  tell("memory of its process, in MB", Math.max(...rounds.map((one) => one.held.process)), 100, "MB");
}
await board.stop();
rmSync(planted.root, { recursive: true, force: true });

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
