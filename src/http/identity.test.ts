import { expect, test } from "vitest";
import { identifyBy } from "./identity.ts";
import type { Token, Tokens } from "./ports.ts";
import { makeToken } from "./token-record.ts";

const bearer = (secret: string): Request =>
  new Request("http://localhost/mcp", { headers: { authorization: `Bearer ${secret}` } });

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
      return [...tokens];
    },
  };
  return all;
}

test("a token that is taken back is refused less than a second later; until then nobody asks the store again", async () => {
  let now = 0;
  const { secret, token } = makeToken({ name: "a", role: "agent", project: null }, new Date());
  const tokens = counted(token);
  const identify = identifyBy(tokens, () => now);
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
  const identify = identifyBy(tokens, () => 0);
  await identify(bearer(first.secret));
  await tokens.add(second.token);
  expect(await identify(bearer(second.secret))).toMatchObject({ name: "b" });
  const asked = tokens.asked;
  const guesses = Array.from({ length: 50 }, (_, at) => identify(bearer(`wm_guess${at}`)));
  for (const answer of await Promise.all(guesses)) expect(answer).toHaveProperty("refused.status", 401);
  expect(tokens.asked).toBe(asked + 1);
});
