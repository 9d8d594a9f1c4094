import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { home } from "../set-up.mjs";

/** The built command. */
export const waymark = join(home, "dist/waymark.js");

/** Starts one replica of a team's server, as an operator would, on a port of its own that it keeps. */
export async function startReplica(root, env, args = []) {
  let child;
  let url;
  const start = async (at) => {
    child = spawn(process.execPath, [waymark, "serve", "--root", root, "--http", at, ...args], {
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const line = await new Promise((resolve, reject) => {
      createInterface({ input: child.stdout }).once("line", resolve);
      child.once("exit", (code) => reject(new Error(`A replica ended with ${code} at its start.`)));
    });
    url = JSON.parse(line).listening;
  };
  const stop = async (signal = "SIGKILL") => {
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await gone;
  };
  await start("127.0.0.1:0");
  return {
    url: () => url,
    pid: () => child.pid,
    stop,
    /** Starts it again where it was. */
    async start() {
      for (let tries = 0; ; tries++)
        try {
          return await start(new URL(url).host);
        } catch (error) {
          if (tries > 50) throw error;
          await wait(100); // the store may be away just now
        }
    },
  };
}
