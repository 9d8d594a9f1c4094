import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDashboard } from "../bench/dashboard-data.mjs";
import { launchBrowser } from "./browser.mjs";
import { paletted } from "./palette-png.mjs";
import { home, run } from "./set-up.mjs";
import { walkedTeaShop } from "./walked-shop.mjs";

/** Takes docs/pictures/*.png and docs/walk.svg, those of the README; with --all FOLDER every view, in both colours and all widths, for review. */
run(process.execPath, [join(home, "scripts/build.mjs"), "--quick"]);
const scratch = mkdtempSync(join(tmpdir(), "waymark-pictures-"));
process.env.XDG_STATE_HOME = join(scratch, "state");
process.env.WAYMARK_CLOCK = join(scratch, "clock");
const browser = await launchBrowser();
const shop = await walkedTeaShop(browser, scratch);
const board = await startDashboard(shop);
while (JSON.parse(await board.ask("runs")).whole === null) await new Promise((done) => setTimeout(done, 100));
const { items } = JSON.parse(await board.ask("inbox"));
const { runs } = JSON.parse(await board.ask("runs"));
const stepOf = ({ key, workflow, step }) => [key, workflow, step].map(encodeURIComponent).join("/");
const runOf = (title) => encodeURIComponent(runs.find((row) => row.title.includes(title)).key);
const [asked] = items.filter(({ workflow }) => workflow === "release");
const [reports] = items.filter(({ title }) => title.includes("reports"));

/** An open font, so that the pictures do not depend on what a machine has. */
const letters = readFileSync(
  join(home, "node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"),
).toString("base64");
const inter = `@font-face{font-family:Shot;font-weight:100 900;src:url(data:font/woff2;base64,${letters})}
body,button,input,select,textarea{font-family:Shot,sans-serif!important}`;

async function picture(folder, { name, place, colorScheme, width, height }) {
  const context = await browser.newContext({
    ...{ colorScheme, viewport: { width, height }, timezoneId: "UTC" },
    bypassCSP: true, // for the font, which the page itself does not bring
  });
  const page = await context.newPage();
  await page.goto(`${board.url}${place}`);
  await page.getByText("History intact").waitFor({ state: "attached" });
  await page.locator(".row, .record-row, .decision, .process-step, .notice").first().waitFor();
  await page.addStyleTag({ content: inter });
  await page.evaluate("document.fonts.ready");
  const bytes = paletted(await page.screenshot({ animations: "disabled" }));
  writeFileSync(join(folder, `${name}.png`), bytes);
  console.log(`${name}.png: ${Math.round(bytes.length / 1000)} KB`);
  await context.close();
}

const wide = { width: 1360, height: 850 };
const forReadme = [
  { name: "claimed", place: `/runs/${stepOf(asked)}/1`, colorScheme: "light", ...wide },
  { name: "runs", place: "/runs", colorScheme: "light", ...wide },
  { name: "run", place: `/runs/${stepOf(reports)}`, colorScheme: "dark", ...wide },
  { name: "inbox", place: `/inbox/${stepOf(asked)}`, colorScheme: "light", ...wide },
];
const views = [
  ["runs", "/runs"],
  ["run", `/runs/${stepOf(reports)}`],
  ["stuck", `/runs/${runOf("webhooks")}`],
  ["bot", `/runs/${runOf("story_bot")}`],
  ["done", `/runs/${runOf("orders")}/test-generation/5`],
  ["inbox", `/inbox/${stepOf(asked)}`],
  ["plan", `/inbox/${stepOf(reports)}`],
  ["claimed", `/runs/${stepOf(asked)}/1`],
  ["nowhere", "/runs/nothing"],
  ["audit", `/audit/${runOf("orders")}`],
  ["process", "/process/test-generation/7"],
];
const at = process.argv.indexOf("--all");
const folder = at === -1 ? join(home, "docs/pictures") : (process.argv[at + 1] ?? ".");
mkdirSync(folder, { recursive: true });
const all = views.flatMap(([name, place]) =>
  ["light", "dark"].flatMap((colorScheme) =>
    [
      { width: 1440, height: 900 },
      { width: 1024, height: 768 },
      { width: 390, height: 844 },
    ].map((size) => ({ name: `${name}-${colorScheme}-${size.width}`, place, colorScheme, ...size })),
  ),
);
for (const one of at === -1 ? forReadme : all) await picture(folder, one);
if (at === -1) {
  const args = ["export", "--svg", "CHANGELOG.md", "--root", shop, "--out", scratch];
  run(process.execPath, [join(home, "dist/waymark.js"), ...args]);
  const [drawn] = readdirSync(scratch).filter((name) => name.endsWith(".svg"));
  copyFileSync(join(scratch, drawn), join(home, "docs/walk.svg"));
}
await browser.close();
await board.stop();
rmSync(scratch, { recursive: true, force: true });
