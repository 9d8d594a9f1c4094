import { expect, test } from "vitest";
import { identifyBy } from "./identity.ts";
import type { Token, Tokens } from "./ports.ts";
import { anybody } from "./principal.ts";
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

test("a token that is taken back is refused less than a second later; until then nobody asks the store again", async () => {
  let now = 0;
  const { secret, token } = makeToken({ name: "a", role: "agent", project: null }, new Date());
  const tokens = counted(token);
  const identify = identifyBy({ tokens, isClosed: false, clock: () => now });
  expect(await identify(bearer(secret))).toMatchObject({ name: "a", role: "agent" });
  await tokens.revoke("a", "now");
  now = 499;
  expect(await identify(bearer(secret))).toMatchObject({ name: "a" });
  expect(tokens.asked).toBe(1);
  now = 501;
  expect(await identify(bearer(secret))).toHaveProperty("refused.status", 401);
});

test("a token counts as soon as it is made, and those who guess ask the store together", async () => {
  const [first, second] = ["a", "b"].map((name) => makeToken({ name, role: "agent", project: null }, new Date()));
  if (first === undefined || second === undefined) throw new Error("Two were made.");
  const tokens = counted(first.token);
  const identify = identifyBy({ tokens, isClosed: false, clock: () => 0 });
  await identify(bearer(first.secret));
  await tokens.add(second.token);
  expect(await identify(bearer(second.secret))).toMatchObject({ name: "b" });
  const asked = tokens.asked;
  const guesses = Array.from({ length: 50 }, (_, at) => identify(bearer(`wm_guess${at}`)));
  for (const answer of await Promise.all(guesses)) expect(answer).toHaveProperty("refused.status", 401);
  expect(tokens.asked).toBe(asked + 1);
});

test("once a token was seen, a list that has become empty lets nobody in, with any token or none", async () => {
  let now = 0;
  const { secret, token } = makeToken({ name: "a", role: "agent", project: null }, new Date());
  const stored: Token[] = [];
  const list = async () => ({ tokens: [...stored], unreadable: 0 });
  const identify = identifyBy({ tokens: { list }, isClosed: false, clock: () => now });
  expect(await identify(nobody)).toBe(anybody);
  stored.push(token);
  now += 1000;
  expect(await identify(nobody)).toHaveProperty("refused.status", 401);
  stored.pop();
  for (const request of [nobody, bearer(secret), bearer("wm_guess")]) {
    now += 1000;
    expect(await identify(request)).toHaveProperty("refused.status", 401);
  }
});

test("where others reach the server an empty list lets nobody in, and what cannot be read is no empty list", async () => {
  for (const [isClosed, unreadable] of [
    [true, 0],
    [false, 1],
  ] as const) {
    const list = async () => ({ tokens: [], unreadable });
    expect(await identifyBy({ tokens: { list }, isClosed })(nobody)).toHaveProperty("refused.status", 401);
  }
});
