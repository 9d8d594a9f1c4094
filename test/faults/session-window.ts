import { openSession } from "../../src/stores/file/window.testing.ts";
import { sessionScript } from "./session-script.ts";

/** A window in a process of its own: walks a session, tries again what failed, and says what became of every record. */
const [projectArea = ""] = process.argv.slice(2);
const session = openSession(projectArea, "survey-1");
const say = (message: object): boolean => process.stdout.write(`${JSON.stringify(message)}\n`);

for (const [k, events] of sessionScript.entries()) {
  for (let tries = 0; tries < 5; tries++) {
    const { seen, found } = await session.look();
    if (["foreign", "malformed"].includes(found.kind)) say({ mistaken: found.kind });
    if (found.kind !== "current") await session.repair({ keepAside: false });
    // What failed may be on record all the same: it is made sure of before anything is answered from it.
    const status = seen > k ? "recorded" : (await session.append(seen, events)).status;
    say({ k, status });
    if (status === "recorded") break;
  }
}
say({ end: true });
process.exit(0);
