import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from "playwright-core";
import { launchBrowser } from "../scripts/browser.mjs";

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
  context.setDefaultTimeout(hangsMs);
  const page = await context.newPage();
  try {
    return await work({ page, context, authenticator: (wanted) => authenticatorOf(context, page, wanted) });
  } finally {
    await context.close();
  }
}

/** In milliseconds: what takes longer hangs, however slow the machine is. */
const hangsMs = 180_000;

let launched: Promise<Browser> | undefined;

/** One browser for all tests of a process; it ends with that. */
function theBrowser(): Promise<Browser> {
  launched ??= launchBrowser();
  return launched;
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
