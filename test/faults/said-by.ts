import { spawn } from "node:child_process";

/** Runs a window to its end, however it ends; answers what it said, a line of JSON each. */
export function saidBy<Said>(args: readonly string[], env: NodeJS.ProcessEnv): Promise<readonly Said[]> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.once("close", () =>
      resolve(
        text
          .split("\n")
          .filter(Boolean)
          .map((line): Said => JSON.parse(line)),
      ),
    );
  });
}
