import { expect, test } from "vitest";
import type { Token, Tokens } from "../engine/ports/team.ts";
import { identifyByToken } from "./identity.ts";
import { anonymous } from "./principal.ts";
import { makeToken } from "./token-record.ts";

const bearer = (secret: string): Request =>
  new Request("http://localhost/mcp", { headers: { authorization: `Bearer ${secret}` } });

const nobody = new Request("http://localhost/mcp");

/** Tokens that count how often they are asked for. */
function counted(...tokens: Token[]): Tokens & { asked: number } {
  const all = {
    asked: 0,
    add: async (token: Token) => tokens.push(token) > 0,
    async revoke(name: string, at: string) {
      tokens.splice(0, tokens.length, ...tokens.map((one) => (one.name === name ? { ...one, revokedAt: at } : one)));
      return true;
    },
    async list() {
      all.asked++;
      return { tokens: [...tokens], unreadable: 0 };
    },
  };
  return all;
}

test("a revoked token is refused within a second; until then the store is not asked again", async () => {
  let now = 0;
  const { secret, token } = makeToken({ name: "a", role: "agent", project: null }, new Date());
  const tokens = counted(token);
  const identify = identifyByToken({ tokens, isClosed: false, clock: () => now });
  expect(await identify(bearer(secret))).toMatchObject({ name: "a", role: "agent" });
  await tokens.revoke("a", "now");
  now = 499;
  expect(await identify(bearer(secret))).toMatchObject({ name: "a" });
  expect(tokens.asked).toBe(1);
  now = 501;
  expect(await identify(bearer(secret))).toHaveProperty("refused.status", 401);
});

test("a token counts as soon as it is created, and guesses share one store request", async () => {
  const [first, second] = ["a", "b"].map((name) => makeToken({ name, role: "agent", project: null }, new Date()));
  if (first === undefined || second === undefined) throw new Error("Two were made.");
  const tokens = counted(first.token);
  const identify = identifyByToken({ tokens, isClosed: false, clock: () => 0 });
  await identify(bearer(first.secret));
  await tokens.add(second.token);
  expect(await identify(bearer(second.secret))).toMatchObject({ name: "b" });
  const asked = tokens.asked;
  const guesses = Array.from({ length: 50 }, (_, at) => identify(bearer(`wm_guess${at}`)));
  for (const answer of await Promise.all(guesses)) expect(answer).toHaveProperty("refused.status", 401);
  expect(tokens.asked).toBe(asked + 1);
});

test("once a token was seen, an empty list refuses every call", async () => {
  let now = 0;
  const { secret, token } = makeToken({ name: "a", role: "agent", project: null }, new Date());
  const stored: Token[] = [];
  const list = async () => ({ tokens: [...stored], unreadable: 0 });
  const identify = identifyByToken({ tokens: { list }, isClosed: false, clock: () => now });
  expect(await identify(nobody)).toBe(anonymous);
  stored.push(token);
  now += 1000;
  expect(await identify(nobody)).toHaveProperty("refused.status", 401);
  stored.pop();
  for (const request of [nobody, bearer(secret), bearer("wm_guess")]) {
    now += 1000;
    expect(await identify(request)).toHaveProperty("refused.status", 401);
  }
});

test("on a public address an empty list refuses every call, and an unreadable list is not empty", async () => {
  for (const [isClosed, unreadable] of [
    [true, 0],
    [false, 1],
  ] as const) {
    const list = async () => ({ tokens: [], unreadable });
    expect(await identifyByToken({ tokens: { list }, isClosed })(nobody)).toHaveProperty("refused.status", 401);
  }
});
