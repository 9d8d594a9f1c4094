import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { home } from "./set-up.mjs";

/** Starts the browser that npm brought; nothing of the system's is needed. */
export async function launchBrowser() {
  const { chromium } = await import("playwright-core");
  return chromium.launch({
    executablePath: await browserFile(),
    // Not the arguments that the package proposes: they take the web's own safety away, which is what is tested.
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
  });
}

/** The browser, unpacked once for a version of it. */
async function browserFile() {
  const modules = join(home, "node_modules");
  const { version } = JSON.parse(readFileSync(join(modules, "@sparticuz/chromium/package.json"), "utf8"));
  const folder = join(modules, ".cache", `chromium-${version}`);
  if (!existsSync(folder)) await unpackInto(folder);
  return join(folder, "chromium");
}

/** Unpacks it completely or not at all, even if another process unpacks it meanwhile. */
async function unpackInto(folder) {
  await mkdir(dirname(folder), { recursive: true });
  const scratch = mkdtempSync(`${folder}-`);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = scratch;
  try {
    const { default: packed } = await import("@sparticuz/chromium");
    await packed.executablePath();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  try {
    renameSync(scratch, folder);
  } catch {
    rmSync(scratch, { recursive: true, force: true }); // another process was first
  }
}
