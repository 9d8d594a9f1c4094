import { spawn } from "node:child_process";
import { print } from "./print.ts";

/** Says where a page is, and opens it where a person sits at a terminal. */
export function showPage(url: string, what: string, isForScripts: boolean): void {
  // What scripts read is what comes of it.
  if (isForScripts) process.stderr.write(`${url}\n`);
  else print(`${what}: ${url}`);
  openPage(url);
}

/** Opens a page in the browser of a person at a terminal, where this system has a way to; where not, that is said: they have read its address. */
export function openPage(url: string): void {
  if (!process.stdout.isTTY || process.env.CI !== undefined) return;
  const [command, ...args] = openers[process.platform] ?? ["xdg-open"];
  spawn(command, [...args, url], { stdio: "ignore", detached: true })
    .on("error", () => process.stderr.write("No browser could be opened from here: open that address yourself.\n"))
    .unref();
}

const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};
