import { connect, createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { freshProject, postgresUrl } from "../postgres.ts";
import { makeProject } from "../project.ts";
import { type Answer, newer, type Window } from "../window.ts";
import { openHttp, startServer } from "./server.ts";

/** The address of a database behind a wire that can be held: what is sent meanwhile arrives when it is let go. */
async function heldWire(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let isHeld = false;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("data", (bytes) => other.write(bytes));
      one.on("close", () => other.destroy());
      one.on("error", () => other.destroy());
      if (isHeld) one.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const one of sockets) one.destroy();
    server.close();
  });
  const address = server.address();
  const wire = new URL(url);
  wire.host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const set = (held: boolean): void => {
    isHeld = held;
    for (const one of sockets) held ? one.pause() : one.resume();
  };
  return { url: wire.href, hold: () => set(true), letGo: () => set(false) };
}

/** On a slow machine a replica gives its database up before the wire is let go; then it has answered that, and done nothing. */
const isAnswered = ({ error }: Answer): boolean => error !== "unavailable";

const yes = { confirmation: "yes, done" };

describe.each(newer)("two replicas on one PostgreSQL, one of them cut off from it (%s protocol)", (era) => {
  /** An action is opened and completed at a replica that cannot go on; the assistant goes on at the other one. */
  async function cutOff(goOn: (window: Window) => Promise<unknown>, namesAttempt = false) {
    const { root } = makeProject();
    const [store, project] = [await postgresUrl(), freshProject()];
    const wire = await heldWire(store);
    const slow = await startServer(root, { store: wire.url, project });
    const quick = await startServer(root, { store, project });
    const [first, second] = [await openHttp(slow.url, { era }), await openHttp(quick.url, { era })];
    const { attempt } = await first.call("shape_bot");
    wire.hold();
    const late = first.call("complete_action", namesAttempt ? { ...yes, attempt } : yes);
    await second.call("shape_bot", { resume: "continue" });
    await goOn(second);
    const open = await second.call("shape_bot");
    wire.letGo();
    return { late: await late, open, now: await second.call("shape_bot") };
  }

  // Attack (tools): Send a call twice, late, on another connection or to another server, after the next step, a retry, going back or another run was opened
  it("completes nothing that was opened at the other meanwhile", async () => {
    const { late, open, now } = await cutOff((window) => window.call("complete_action", yes));
    if (isAnswered(late)) expect(late).toMatchObject({ error: "conflict", attempt: open.attempt });
    expect(now).toMatchObject({ status: "started", action: "decide_planning_criteria", attempt: open.attempt });
  });

  it("completes no other attempt at the same action", async () => {
    const { late, open, now } = await cutOff((window) => window.call("shape_bot", { resume: "retry" }), true);
    if (isAnswered(late)) expect(late).toMatchObject({ error: "conflict" });
    expect(now).toMatchObject({ status: "started", action: "gather_context", attempt: open.attempt });
  });

  it("gets the reply of the completion that it repeats, if it names its attempt", async () => {
    const again = async (window: Window): Promise<unknown> => {
      const { attempt } = await window.call("shape_bot");
      return window.call("complete_action", { ...yes, attempt });
    };
    const { late, now } = await cutOff(again, true);
    if (isAnswered(late)) expect(late).toMatchObject({ status: "completed", action: "gather_context" });
    expect(now).toMatchObject({ status: "started", action: "decide_planning_criteria" });
  });
});
