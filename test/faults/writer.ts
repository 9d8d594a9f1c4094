import { openWindow } from "../../src/stores/file/window.testing.ts";
import { startedExample } from "../../src/testing/example-events.ts";

/** One of several windows that write at once: goes on until it is killed, and says what was recorded. */
const [projectArea = "", by = "", from = "0"] = process.argv.slice(2);
const history = openWindow(projectArea);
for (let number = Number(from); ; number++) {
  for (;;) {
    const { seen, found, warnings } = await history.look();
    if (!["current", "behind"].includes(found.kind)) throw new Error(`taken for ${found.kind}`);
    const appended = await history.append(seen, [startedExample(number % 7, `${by} ${number}`)]);
    if (warnings.length + appended.warnings.length > 0) throw new Error([...warnings, ...appended.warnings].join());
    if (appended.status === "recorded") break;
  }
  process.stdout.write(`${by} ${number}\n`);
}
