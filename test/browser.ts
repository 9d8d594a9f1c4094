import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from "playwright-core";

/** A page in a real browser, in a profile of its own; with it, what drives its authenticator. */
export type Visit = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Keeps passkeys and confirms that a person is there, as a person's own device would. */
  authenticator(options?: { readonly verifiesPerson?: boolean }): Promise<Authenticator>;
};

/** A device with passkeys, as the browser sees it. */
export type Authenticator = {
  /** How many passkeys it has, and how often each was used. */
  uses(): Promise<readonly number[]>;
  /** Whether the person confirms what they are asked. */
  confirm(does: boolean): Promise<void>;
  readonly session: CDPSession;
  readonly id: string;
};

/** Opens a page in the browser of this run, hands it over, and closes it whatever happens. */
export async function visit<T>(work: (visit: Visit) => Promise<T>, options: BrowserContextOptions = {}): Promise<T> {
  const browser = await theBrowser();
  const context = await browser.newContext(options);
  const page = await context.newPage();
  try {
    return await work({ page, context, authenticator: (wanted) => authenticatorOf(context, page, wanted) });
  } finally {
    await context.close();
  }
}

let launched: Promise<Browser> | undefined;

/** One browser for all tests of a process; it ends with that. */
function theBrowser(): Promise<Browser> {
  launched ??= launch();
  return launched;
}

async function launch(): Promise<Browser> {
  const { chromium } = await import("playwright-core");
  return chromium.launch({
    executablePath: await browserFile(),
    // Not the arguments that the package proposes: they take the web's own safety away, which is what is tested.
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
  });
}

/** The browser that npm brought, unpacked once for a version of it. */
async function browserFile(): Promise<string> {
  const modules = fileURLToPath(new URL("../node_modules", import.meta.url));
  const { version } = JSON.parse(await readFile(join(modules, "@sparticuz/chromium/package.json"), "utf8"));
  const folder = join(modules, ".cache", `chromium-${version}`);
  if (!existsSync(folder)) await unpackInto(folder);
  return join(folder, "chromium");
}

/** It is there whole or not at all, whoever else unpacks it meanwhile. */
async function unpackInto(folder: string): Promise<void> {
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
    rmSync(scratch, { recursive: true, force: true }); // somebody else was first
  }
}

async function authenticatorOf(
  context: BrowserContext,
  page: Page,
  { verifiesPerson = true }: { readonly verifiesPerson?: boolean } = {},
): Promise<Authenticator> {
  const session = await context.newCDPSession(page);
  await session.send("WebAuthn.enable", { enableUI: false });
  const { authenticatorId: id } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: verifiesPerson,
      automaticPresenceSimulation: true,
    },
  });
  return {
    id,
    session,
    async uses() {
      const { credentials } = await session.send("WebAuthn.getCredentials", { authenticatorId: id });
      return credentials.map(({ signCount }) => signCount);
    },
    async confirm(does) {
      await session.send("WebAuthn.setUserVerified", { authenticatorId: id, isUserVerified: does });
    },
  };
}
