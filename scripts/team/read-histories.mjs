import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { waymark } from "./replica.mjs";

/** Reads every history again: counts each recorded mark and lists what breaks a chain. */
export async function readHistories(root, env) {
  const said = (args) =>
    promisify(execFile)(process.execPath, [waymark, ...args, "--root", root, "--json"], { env, maxBuffer: 1 << 30 })
      .catch((error) => error)
      .then(({ stdout }) => JSON.parse(stdout));
  const { desks, missing } = await said(["verify"]);
  const problems = [...missing, ...desks.flatMap(({ breaks, set_aside }) => [...breaks, ...set_aside])];
  const marks = new Map();
  const exported = await said(["export"]);
  for (const { events } of exported.desks)
    for (const { type, outputs } of events)
      if (type === "completed" && outputs?.mark !== undefined)
        marks.set(outputs.mark, (marks.get(outputs.mark) ?? 0) + 1);
  return { marks, problems, histories: desks.length };
}
