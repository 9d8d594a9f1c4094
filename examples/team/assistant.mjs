import { setTimeout as wait } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { paint, say } from "../stage.mjs";

/**
 * A scripted assistant with a person in front of it: the official client, over HTTP, with a token. It tries to skip ahead once,
 * then walks both behaviors to their end; what was not answered, or could not be recorded, it sends again as it was.
 */
export async function assistant({ name, token, url, run, era, told }) {
  let replica = "?";
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    async fetch(...request) {
      const response = await fetch(...request);
      replica = response.headers.get("x-replica") ?? replica;
      return response;
    },
  });
  const client = new Client(
    { name, version: "1.0.0" },
    {
      capabilities: { elicitation: {} },
      ...(era === "2026-07-28" ? { versionNegotiation: { mode: { pin: era } } } : {}),
    },
  );
  client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { answer: "yes" } }));
  await client.connect(transport);
  const line = (colour, call, said) =>
    say(
      `   ${paint(36, name.padEnd(5))} → ${call.padEnd(46)} ${paint(colour, said)} ${paint(2, `(replica ${replica})`)}`,
    );

  /** Calls until there is an answer that counts. */
  async function call(tool, args, shown = tool) {
    for (let tries = 0; ; tries++) {
      told.calls += 1;
      const answer = await client.callTool({ name: tool, arguments: { run, ...args } }).then(
        ({ structuredContent }) => structuredContent,
        () => ({ error: "no answer" }),
      );
      if (answer.error !== "no answer" && answer.error !== "unavailable") {
        line(answer.status === "refused" ? 31 : 32, shown, `← ${answer.status}`);
        await wait(pause);
        return answer;
      }
      told.again += 1;
      if (tries === 0) line(33, shown, `← ${answer.error}: the same is sent again`);
      await wait(pause);
    }
  }

  for (const behavior of ["shape", "discovery"])
    for (let step = 1; step <= 5; step++) {
      await call(`${behavior}_bot`, { resume: "continue" });
      if (behavior === "shape" && step === 1)
        await call("shape_bot", { action: "render_output" }, "shape_bot render_output, to skip ahead");
      const mark = `${run}/${behavior}/${step}`;
      const shown = `complete_action, ${step} of 5 in ${behavior}`;
      const done = () => call("complete_action", { behavior, outputs: { mark } }, shown);
      let { status } = await done();
      while (status === "awaiting_human") ({ status } = await done()); // the question never reached the person
      if (status !== "refused") told.acknowledged.add(mark);
    }
  await client.close();
}

/** Slow enough to be read, in milliseconds. */
const pause = 250;
