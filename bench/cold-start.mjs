import { fileURLToPath } from "node:url";
import { median, report, startServer, timed } from "./wire.mjs";

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
const rounds = 25;

/** From spawning a server to its first tools/list, against a bare SDK server, turn by turn in one run. */
const coldStart = (args) => async () => {
  const server = startServer(args);
  const time = await timed(async () => {
    await server.initialize();
    await server.request("tools/list", {});
  });
  await server.stop();
  return time;
};
const bare = coldStart([file("bare-server.mjs")]);
const ours = coldStart([file("../dist/waymark.js"), "serve", "--root", file("../examples/demo/project")]);

const times = { bare: [], ours: [] };
await bare();
await ours();
for (let round = 0; round < rounds; round++) {
  times.bare.push(await bare());
  times.ours.push(await ours());
}
report(
  "cold start",
  median(times.ours) / median(times.bare),
  1.05,
  `${median(times.ours).toFixed(0)} ms against ${median(times.bare).toFixed(0)} ms`,
);
