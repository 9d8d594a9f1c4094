import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { makeProject } from "../project.ts";
import { wholeOr } from "../whole.ts";
import { type Era, eras, openProcess, openTransport } from "../window.ts";

const mega = 1024 * 1024;
const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
};

/** A server that has been greeted, in either protocol era; `call` is a call of a tool as text. */
async function greeted(era: Era) {
  const project = makeProject();
  const transport = openTransport(project.root);
  const meta = era === "2026" ? envelope : {};
  const clientInfo = { name: "t", version: "1" };
  const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const opening =
    era === "2026" ? request("hello", "tools/list", { _meta: meta }) : request("hello", "initialize", hello);
  transport.write(`${opening}\n`);
  await transport.reply("hello");
  const call = (id: number, more = "", name = "story_bot"): string =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"_meta":${JSON.stringify(meta)},"name":"${name}"${more}}}`;
  const isAlive = async (id: number): Promise<void> => {
    transport.write(`${call(id)}\n`);
    expect((await transport.reply(id)).result?.structuredContent).toMatchObject({ bot: "story_bot" });
  };
  return { project, door: transport, meta, call, isAlive };
}

function request(id: number | string, method: string, params: object): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

// Attack (tools): Send a message of more than 32 MB, a line that does not end, 100,000 levels, junk
// -> Answered with `too_large` or `invalid_input`, and the server keeps running
describe.each(wholeOr(eras, eras.slice(-1)))("an assistant with the tools (%s protocol)", (era) => {
  test("hands in 3 files of 4 MB in one call: they get their reply and are saved", async () => {
    const { project, door: transport, call, isAlive } = await greeted(era);
    await isAlive(1);
    const files = ["a", "b", "c"].map((name) => ({ path: `docs/${name}.txt`, text: name.repeat(4 * mega) }));
    const more = `,"arguments":{"confirmation":"yes, done","content":${JSON.stringify(files)}}`;
    transport.write(`${call(2, more, "complete_action")}\n`);
    expect((await transport.reply(2)).result?.structuredContent).toMatchObject({ status: "completed" });
    expect(project.read("docs/c.txt")).toHaveLength(4 * mega);
  });

  test.each([
    ["with its id in front", (call: string) => call],
    ["with its id at the end", (call: string) => `${call.replace('"id":7,', "").slice(0, -1)},"id":7}`],
  ])(
    "sends a message of more than 32 MB, %s: too_large with that id, nothing kept, and the server lives on",
    async (_, put) => {
      const { project, door: transport, call, isAlive } = await greeted(era);
      transport.write(`${put(call(7, `,"arguments":{"inputs":{"id":8,"text":"${"x".repeat(33 * mega)}"}}`))}\n`);
      const { error } = await transport.reply(7);
      expect(error).toMatchObject({ data: { error: "too_large", required_action: expect.any(String) } });
      expect(error?.message).toMatch(/^too_large: .*32 MB/);
      await isAlive(9);
      expect(project.log()).toHaveLength(1);
    },
  );

  test("sends a line that does not end for long: it is passed over up to its end, and little of it is kept", async () => {
    const { door: transport, isAlive } = await greeted(era);
    const before = process.memoryUsage().arrayBuffers;
    const junk = Buffer.alloc(mega, "[");
    for (let part = 0; part < 100; part++) {
      transport.write(junk);
      await new Promise(setImmediate);
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(70 * mega);
    transport.write("\n");
    expect((await transport.reply(undefined)).error).toMatchObject({ data: { error: "too_large" } });
    await isAlive(1);
  });

  test("sends lines that are no message: each is told so, and the server lives on", async () => {
    const { door: transport, isAlive } = await greeted(era);
    transport.write('\n\r\n \n{"jsonrpc":"2.0","id":1,"method":"tools/call","params"\n');
    expect((await transport.reply(1)).error).toMatchObject({ code: -32700, data: { error: "invalid_input" } });
    transport.write("garbage\n");
    expect((await transport.reply(undefined)).error).toMatchObject({ code: -32700, data: { error: "invalid_input" } });
    transport.write('[]\n5\nnull\n{"id":3}\n{"jsonrpc":"2.0","id":4,"method":"tools/list","params":5}\n');
    expect((await transport.reply(4)).error).toMatchObject({ code: -32600, data: { error: "invalid_input" } });
    await isAlive(5);
  });

  const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
  test.each([
    [
      "_meta",
      (meta: string) =>
        `"method":"tools/call","params":{"name":"story_bot","_meta":${meta.replace(/}$/, `,"x":${deep}}`)}}`,
    ],
    [
      "a progress token",
      (meta: string) =>
        `"method":"tools/call","params":{"name":"story_bot","_meta":${meta.replace(/}$/, `,"progressToken":${deep}}`)}}`,
    ],
    [
      "an argument",
      (meta: string) =>
        `"method":"tools/call","params":{"name":"story_bot","_meta":${meta},"arguments":{"inputs":${deep}}}`,
    ],
    ["a tool's name", (meta: string) => `"method":"tools/call","params":{"name":${deep},"_meta":${meta}}`],
    ["a field of the message", (meta: string) => `"method":"tools/list","params":{"_meta":${meta}},"x":${deep}`],
    [
      "the params of a method that is not there",
      (meta: string) => `"method":"no","params":{"_meta":${meta},"x":${deep}}`,
    ],
  ])("nests %s 100,000 levels deep: a reply with the id, and the server lives on", async (_, rest) => {
    const { door: transport, meta, isAlive } = await greeted(era);
    const spelled = JSON.stringify({ y: 1, ...meta });
    transport.write(`{"jsonrpc":"2.0","id":6,${rest(spelled)}}\n`);
    const { result, error } = await transport.reply(6);
    expect(result ?? error).toBeDefined();
    await isAlive(7);
  });
});

test("a real client that sends 33 MB is told too_large, and its next call is answered by the same process", async () => {
  const project = makeProject();
  const window = await openProcess(project.root);
  const text = "x".repeat(33 * mega);
  await expect(window.call("story_bot", { inputs: { text } })).rejects.toThrow(/too_large/);
  await expect(window.call("story_bot", { inputs: { text: "x".repeat(2 * mega) } })).resolves.toMatchObject({
    error: "invalid_input",
  });
  expect(await window.call("story_bot")).toMatchObject({ status: "started" });
  if (process.platform === "linux") {
    const [, peak] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${window.pid}/status`, "utf8")) ?? [];
    expect(Number(peak) / 1024).toBeLessThan(300);
  }
});
