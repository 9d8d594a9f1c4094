import { createSecretKey, generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import { expect, it } from "vitest";
import { eras } from "../window.ts";
import { browser } from "./browsing.ts";
import { servedWithIssuer } from "./issuer.ts";
import { makeToken, type Server } from "./server.ts";

async function ask({ url }: Pick<Server, "url">, token?: string): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
    }),
  });
}

const now = (): number => Math.floor(Date.now() / 1000);

it.each(eras)("an assistant with a token of the issuer works, beside those with a token of ours (%s)", async (era) => {
  const { issuer, server, project } = await servedWithIssuer();
  const window = await server.open({ era, token: await issuer.token() });
  expect(await window.call("shape_bot")).toMatchObject({ status: "started" });
  const own = await server.open({ era, token: await makeToken(project.root, "anna", "agent") });
  expect(await own.call("prioritization_bot")).toMatchObject({ status: "started" });
});

it("a renewed token keeps its owner's position", async () => {
  const { issuer, server } = await servedWithIssuer();
  const first = await server.open({ era: "2026", token: await issuer.forge({ exp: now() + 60 }) });
  const { attempt } = await first.call("shape_bot");
  const renewed = await server.open({ era: "2026", token: await issuer.forge({ exp: now() + 120, jti: "another" }) });
  expect(await renewed.call("shape_bot")).toMatchObject({ status: "started", attempt });
});

it("says where to sign in, and asks for no scope but the one that names the person", async () => {
  const { origin, issuer, server } = await servedWithIssuer();
  const refused = await ask(server);
  expect(refused.status).toBe(401);
  const challenge = refused.headers.get("www-authenticate") ?? "";
  expect(challenge).toContain(`resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`);
  expect(challenge).not.toContain("scope");
  const metadata = await (await fetch(`${origin}/.well-known/oauth-protected-resource/mcp`)).json();
  expect(metadata).toEqual({
    resource: `${origin}/mcp`,
    authorization_servers: [issuer.url],
    scopes_supported: ["openid"],
    bearer_methods_supported: ["header"],
    resource_name: "Waymark",
  });
});

// Attack (network): Use an access token that is expired, for another audience or issuer, unsigned, signed with the public key, or changed
// -> Refused (401)
it("every forged, foreign or old token is refused with 401", async () => {
  const { issuer, server } = await servedWithIssuer();
  const good = await issuer.token();
  expect((await ask(server, good)).status).toBe(200);
  const [head = "", body = "", mark = ""] = good.split(".");
  const json = (part: string): Record<string, unknown> => JSON.parse(Buffer.from(part, "base64url").toString());
  const text = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const claims = { iss: issuer.url, aud: json(body).aud as string, sub: "robot" };
  const signed = (key: Parameters<SignJWT["sign"]>[0], alg: string, kid: string) =>
    new SignJWT(claims).setProtectedHeader({ alg, kid }).setExpirationTime("5m").sign(key);
  const { kid = "" } = issuer.publicKey();
  const attacks = {
    expired: await issuer.forge({ exp: now() - 60 }),
    "without an end": await issuer.forge({}),
    "not yet valid": await issuer.forge({ exp: now() + 600, nbf: now() + 300 }),
    "of another audience": await issuer.forge({ exp: now() + 60, aud: "https://elsewhere.example.com" }),
    "of another issuer": await issuer.forge({ exp: now() + 60, iss: "https://issuer.example.com" }),
    "without a subject": await issuer.forge({ exp: now() + 60, sub: undefined }),
    "with alg none": `${text({ ...json(head), alg: "none" })}.${body}.`,
    "signed with the public key as a secret": await signed(
      createSecretKey(Buffer.from(JSON.stringify(issuer.publicKey()))),
      "HS256",
      kid,
    ),
    "by an unknown key": await signed(stranger, "ES256", "unknown"),
    "by a stranger under a known name": await signed(stranger, "ES256", kid),
    "with changed claims": `${head}.${text({ ...json(body), sub: "dana" })}.${mark}`,
    "with a cut signature": `${head}.${body}.${mark.slice(0, -4)}`,
    "no token at all": "abc",
  };
  for (const [name, token] of Object.entries(attacks)) expect((await ask(server, token)).status, name).toBe(401);
  expect(server.log()).not.toContain(mark);
});

it("a clock that differs by seconds refuses nobody", async () => {
  const { issuer, server } = await servedWithIssuer();
  expect((await ask(server, await issuer.forge({ exp: now() - 10 }))).status).toBe(200);
  expect((await ask(server, await issuer.forge({ exp: now() + 60, nbf: now() + 10 }))).status).toBe(200);
});

it("the issuer may rotate its keys; one that is down is 503, never 401", async () => {
  const { issuer, server } = await servedWithIssuer();
  expect((await ask(server, await issuer.token())).status).toBe(200);
  const old = await issuer.forge({ exp: now() + 600, jti: "old" });
  await issuer.rotate();
  await expect.poll(async () => (await ask(server, await issuer.forge({ exp: now() + 60 }))).status).toBe(200);
  expect((await ask(server, old)).status).toBe(401);
  await issuer.rotate();
  const unseen = await issuer.forge({ exp: now() + 60 });
  await issuer.stop();
  await new Promise((done) => setTimeout(done, 1100)); // longer than between two looks at the keys
  expect((await ask(server, unseen)).status).toBe(503);
  await issuer.start();
  await expect.poll(async () => (await ask(server, unseen)).status).toBe(200);
});

it("claims give roles and projects, the first rule that matches", async () => {
  const { issuer, server, origin } = await servedWithIssuer([
    { claim: "groups", has: "auditors", role: "viewer" },
    { claim: "realm_access.roles", has: "dev", role: "agent" },
    { claim: "groups", has: "elsewhere", role: "agent", project: "another" },
  ]);
  const token = (claims: object) => issuer.forge({ exp: now() + 60, ...claims });
  expect((await ask(server, await token({}))).status).toBe(403);
  expect((await ask(server, await token({ groups: ["elsewhere"] }))).status).toBe(404);
  const viewer = await token({ groups: ["auditors"], realm_access: { roles: ["dev"] } });
  const window = await server.open({ token: viewer });
  expect(await window.call("shape_bot")).toMatchObject({ error: "forbidden" });
  expect((await fetch(`${origin}/api/runs`, { headers: { authorization: `Bearer ${viewer}` } })).status).toBe(200);
  const agent = await server.open({ token: await token({ realm_access: { roles: ["dev"] } }) });
  expect(await agent.call("shape_bot")).toMatchObject({ status: "started" });
});

it("people sign in to the dashboard by the same issuer, with a cookie that no script can read", async () => {
  const { origin } = await servedWithIssuer([{ claim: "groups", has: "dana", role: "approver" }]);
  const page = browser();
  expect((await page.get(`${origin}/api/page`)).status).toBe(401);
  const landed = await page.signIn(`${origin}/signin`, "dana");
  expect(landed.url).toBe(`${origin}/`);
  const home = await page.get(`${origin}/api/page`);
  expect(await home.json()).toMatchObject({ name: "dana", role: "approver", approves: true });
  const session = page.set.find((line) => line.startsWith("waymark_session=")) ?? "";
  expect(session).toMatch(/HttpOnly; SameSite=Strict/);
  expect(page.set.every((line) => !line.startsWith("waymark_") || line.includes("HttpOnly"))).toBe(true);
  // Another site's page sends no cookie, and a changed or foreign one is none.
  const [value = ""] = session.slice("waymark_session=".length).split(";");
  const changed = value.replace(/^./, (letter) => (letter === "e" ? "f" : "e"));
  const [body = "", mark = ""] = value.split(".");
  const cookies = [changed, `${body}.x`, `${body}.${"\u00ff".repeat(mark.length)}`, `${value}.more`, ""];
  for (const cookie of cookies.map((one) => `waymark_session=${one}`))
    expect((await fetch(`${origin}/api/page`, { headers: { cookie } })).status).toBe(401);
  expect(
    (await fetch(`${origin}/mcp`, { method: "POST", headers: { cookie: `waymark_session=${value}` } })).status,
  ).toBe(401);
  await page.get(`${origin}/signout`);
  expect((await page.get(`${origin}/api/page`)).status).toBe(401);
});

// Attack (network): Finish a sign-in to the dashboard that another browser began, or bring a changed cookie
// -> Refused
it("an answer to a sign-in that this browser did not begin is refused", async () => {
  const { origin } = await servedWithIssuer();
  expect((await fetch(`${origin}/signin/callback?code=abc&state=def`)).status).toBe(400);
});
