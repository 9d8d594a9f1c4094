import { createServer, request } from "node:http";
import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { loopback } from "./address.ts";
import { type Listening, listen } from "./listen.ts";

const open: Listening[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map((one) => one.close()))));

async function listening(
  answer: (request: Request) => Response | Promise<Response> = () => new Response("in"),
  socketTimeoutMs = 60_000,
): Promise<Listening> {
  const one = await listen({
    addresses: loopback,
    port: 0,
    names: ["localhost"],
    answer,
    report: () => undefined,
    socketTimeoutMs,
  });
  open.push(one);
  return one;
}

/** Sends a request with these headers to this address, and returns the answer. */
function asked(port: number, headers: Record<string, string>, host = "127.0.0.1"): Promise<number> {
  return new Promise((done, fail) => {
    request({ host, port, headers, setHost: false }, (response) => {
      response.resume();
      done(response.statusCode ?? 0);
    })
      .once("error", fail)
      .end();
  });
}

/** Sends these bytes and returns the first line of the answer. */
function said(port: number, bytes: string): Promise<string> {
  return new Promise((done, fail) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    socket.once("error", fail).once("close", () => done(text.split("\r\n")[0] ?? ""));
  });
}

test("a server on loopback listens on both addresses of this machine, on one port", async () => {
  const { port } = await listening();
  expect(await asked(port, { host: `localhost:${port}` }, "127.0.0.1")).toBe(200);
  expect(await asked(port, { host: `localhost:${port}` }, "::1")).toBe(200);
});

test("a port taken on the other address is not shared", async () => {
  const rogue = createServer();
  const port = await new Promise<number>((done) => {
    rogue.listen({ host: "::1", port: 0, ipv6Only: true }, () => {
      const at = rogue.address();
      done(at === null || typeof at === "string" ? 0 : at.port);
    });
  });
  const transport = {
    addresses: loopback,
    names: ["localhost"],
    answer: () => new Response("in"),
    report: () => undefined,
  };
  await expect(listen({ ...transport, port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  // And nothing is left listening on the first one.
  await expect(asked(port, {}, "127.0.0.1")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  await new Promise((done) => rogue.close(done));
});

test.each<[string, (port: number) => Record<string, string>]>([
  ["another name", () => ({ host: "evil.example" })],
  ["its name without the port", () => ({ host: "localhost" })],
  ["its name with another port", (port) => ({ host: `localhost:${port + 1}` })],
  ["an address instead of the name", (port) => ({ host: `127.0.0.1:${port}` })],
  ["a name that ends in its own", (port) => ({ host: `evil.localhost:${port}` })],
  ["what is no name", () => ({ host: "a b" })],
])("who calls it by %s is answered 421", async (_, headers) => {
  const { port } = await listening();
  expect(await asked(port, headers(port))).toBe(421);
});

test("a request with two hosts, or another server in its first line, gets 421", async () => {
  const { port } = await listening();
  const host = `Host: localhost:${port}\r\n`;
  expect(await said(port, `GET / HTTP/1.1\r\n${host}Host: evil.example\r\n\r\n`)).toMatch(/^HTTP\/1.1 421/);
  expect(await said(port, `GET http://evil.example/ HTTP/1.1\r\n${host}\r\n`)).toMatch(/^HTTP\/1.1 421/);
});

test("a slow request gets 408", async () => {
  const { port } = await listening(undefined, 50);
  expect(await said(port, `GET / HTTP/1.1\r\nHost: localhost:${port}\r\n`)).toMatch(/^HTTP\/1.1 408/);
});

test("a request that stops halfway gets 408 as well", async () => {
  const { port } = await listening(async (request) => new Response(await request.text()), 50);
  const head = `POST / HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\n`;
  expect(await said(port, `${head}begun`)).toMatch(/^HTTP\/1.1 408/);
});

test.each<[string, (port: number) => string]>([
  ["another host", () => "https://evil.example"],
  ["another port of this machine", (port) => `http://localhost:${port + 1}`],
  ["another scheme", (port) => `https://localhost:${port}`],
  ["no page that has an address", () => "null"],
])("a page of %s is answered 403", async (_, origin) => {
  const { port } = await listening();
  expect(await asked(port, { host: `localhost:${port}`, origin: origin(port) })).toBe(403);
});

test("a page of its own is admitted", async () => {
  const { port } = await listening();
  expect(await asked(port, { host: `LOCALHOST:${port}`, origin: `http://localhost:${port}` })).toBe(200);
});

test("an error while answering does not end the server or leak details", async () => {
  const { port } = await listening(() => Promise.reject(new Error("a secret")));
  const answer = await fetch(`http://localhost:${port}/`);
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain("secret");
  expect((await fetch(`http://localhost:${port}/`)).status).toBe(500);
});

test("a closing server finishes its open calls", async () => {
  let answer: (response: Response) => void = () => undefined;
  let isAsked: () => void = () => undefined;
  const beingAsked = new Promise<void>((done) => {
    isAsked = done;
  });
  const one = await listening(() => {
    isAsked();
    return new Promise((done) => {
      answer = done;
    });
  });
  const asking = fetch(`http://localhost:${one.port}/`);
  await beingAsked;
  const closed = one.close(60_000);
  answer(new Response("late"));
  expect(await (await asking).text()).toBe("late");
  await closed;
});
