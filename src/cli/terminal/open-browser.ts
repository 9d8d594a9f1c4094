import { spawn } from "node:child_process";
import { print } from "./print.ts";

/** Prints the address of a page and opens it if a person is at a terminal. */
export function showPage(url: string, what: string, isForScripts: boolean): void {
  // Stdout is kept for the result that scripts read.
  if (isForScripts) process.stderr.write(`${url}\n`);
  else print(`${what}: ${url}`);
  openPage(url);
}

/** Opens a page in the person's browser, or says that it could not. */
export function openPage(url: string): void {
  if (!process.stdout.isTTY || process.env.CI !== undefined) return;
  const [command, ...args] = openers[process.platform] ?? ["xdg-open"];
  spawn(command, [...args, url], { stdio: "ignore", detached: true })
    .on("error", () => process.stderr.write("Could not open a browser. Open the address above yourself.\n"))
    .unref();
}

const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};
