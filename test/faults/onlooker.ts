import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Reads both files again and again, as any program might, until its input ends; says how often, and what did not parse. */
const [projectArea = ""] = process.argv.slice(2);
let looks = 0;
let isOver = false;
process.stdin.on("end", () => {
  isOver = true;
});
process.stdin.resume();
while (!isOver) {
  for (const name of ["workflow_state.json", "activity_log.json"]) {
    const text = read(join(projectArea, name));
    try {
      if (text !== undefined) JSON.parse(text);
    } catch (error) {
      process.stdout.write(`${JSON.stringify({ broken: name, error: String(error), text: text?.slice(-300) })}\n`);
    }
    looks += text === undefined ? 0 : 1;
  }
  await new Promise((resolve) => setImmediate(resolve));
}
process.stdout.write(`${JSON.stringify({ looks })}\n`);

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
