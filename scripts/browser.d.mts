import type { Browser } from "playwright-core";

/** Starts the browser that npm brought; nothing of the system's is needed. */
export function launchBrowser(): Promise<Browser>;
