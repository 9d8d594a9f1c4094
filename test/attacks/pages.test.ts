import { verifyAuthenticationResponse } from "@simplewebauthn/server";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { challengeOf } from "../../src/gates/approval-statement.ts";
import { visit } from "../browser.ts";
import { asked, enrolOn, judgingPage, provenProject } from "../page.ts";
import { openWindow, type Window } from "../window.ts";

const submission = { outputs: { users: "clerks" }, content: [{ path: "notes.md", text: "# Notes\n" }] };

/** A project in which something waits for dana. */
async function waiting(given: Record<string, unknown> = submission) {
  const project = provenProject();
  const window: Window = await openWindow(project.root);
  await window.call("shape_bot");
  const complete = (more = given) => window.call("complete_action", more);
  const first = await complete();
  expect(first, first.text).toMatchObject({ status: "awaiting_human" });
  return { project, complete };
}

/** Has the passkey of this browser sign a challenge on whatever page is open, as a page of somebody else's would. */
async function signedOn(page: Page, made: Record<string, unknown>, userVerification = "required") {
  return page.evaluate(
    async ({ challenge, credentials, rpId, verification }) => {
      const bytes = (text: string): Uint8Array<ArrayBuffer> =>
        Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
      const options = {
        publicKey: {
          challenge: bytes(challenge),
          rpId,
          userVerification: verification,
          allowCredentials: credentials.map((id) => ({ type: "public-key", id: bytes(id) })),
        },
      };
      // biome-ignore lint/suspicious/noExplicitAny: the browser's own names are not known to the types of Node
      const given = (await (globalThis as any).navigator.credentials.get(options)).toJSON();
      const { authenticatorData, clientDataJSON, signature } = given.response;
      return { credential: String(given.id), authenticatorData, clientDataJSON, signature };
    },
    {
      challenge: String(made.challenge),
      rpId: String(made.rpId),
      credentials: Array.isArray(made.credentials) ? made.credentials.map(String) : [],
      verification: userVerification,
    },
  );
}

// Attack (network): Have a passkey sign on another page, for something else, without a person, or a second time
// -> Refused: the answer is of this page, of just what it showed, of a verified person, and counts once
test("an answer counts once, for just what was shown, from the page that asked for it, by a person who was verified", async () => {
  const { project, complete } = await waiting();
  await visit(async ({ page, authenticator }) => {
    const device = await authenticator();
    const dana = await enrolOn(page, project, "dana");
    const judging = await judgingPage(project);
    const approve = async () => {
      const { data } = await asked(judging, "page");
      return asked(judging, "statement", { decision: "approve", digest: data.digest });
    };

    // Signed on a page of another port, which passkeys take for the same host.
    const elsewhere = await judgingPage(project);
    await page.goto(elsewhere.url);
    const forElsewhere = (await approve()).data;
    const signedElsewhere = await signedOn(page, forElsewhere);
    expect((await asked(judging, "answer", { nonce: forElsewhere.nonce, ...signedElsewhere })).data).toEqual({
      result: "refused",
      message: "The answer was not accepted: it was requested by another page.",
    });

    // Signed without anybody being verified.
    await page.goto(judging.url);
    await device.confirm(false);
    const unverified = (await approve()).data;
    const touched = await signedOn(page, unverified, "discouraged");
    expect((await asked(judging, "answer", { nonce: unverified.nonce, ...touched })).data.message).toContain(
      "the passkey did not verify a person",
    );
    await device.confirm(true);

    // Signed for a yes to something else.
    const [one, other] = [(await approve()).data, (await approve()).data];
    const signed = await signedOn(page, one);
    expect((await asked(judging, "answer", { nonce: other.nonce, ...signed })).data.message).toContain(
      "its signature does not match",
    );

    // Signed for what was shown, and handed in otherwise meanwhile.
    await complete({ outputs: { users: "nobody" } });
    expect((await asked(judging, "answer", { nonce: one.nonce, ...signed })).data.result).toBe("refused");
    expect(project.state().action_state).toBe("started");

    const last = (await approve()).data;
    const answer = { nonce: last.nonce, ...(await signedOn(page, last)) };
    expect((await asked(judging, "answer", answer)).data.result).toBe("completed");
    expect((await asked(judging, "answer", answer)).status).toBe(409);
    const [kept] = judging.answers;
    if (kept === undefined || kept.proof.kind !== "passkey" || dana.kind !== "passkey")
      throw new Error("not on record");
    const { digest, decision } = kept.statement;
    const again = await judging.engine.answer({ id: "x" }, { ref: judging.ref, digest, decision, signed: kept });
    expect(again.outcome.kind).toBe("refused");

    // What is on record proves it to an implementation that is not ours.
    const { clientDataJSON, authenticatorData, signature } = kept.proof;
    const proved = await verifyAuthenticationResponse({
      response: {
        id: dana.credential,
        rawId: dana.credential,
        type: "public-key",
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: challengeOf(kept.statement).toString("base64url"),
      expectedOrigin: judging.origin,
      expectedRPID: "localhost",
      credential: { id: dana.credential, publicKey: coseOf(dana.public), counter: 0 },
    });
    expect(proved.verified).toBe(true);
  });
});

/** The public key of an ES256 passkey in the form that authenticators write: its last 64 bytes are the point. */
function coseOf(spki: string): Uint8Array<ArrayBuffer> {
  const point = Buffer.from(spki, "base64").subarray(-64);
  const head = Buffer.from("a5010203262001215820", "hex");
  return new Uint8Array(Buffer.concat([head, point.subarray(0, 32), Buffer.from("225820", "hex"), point.subarray(32)]));
}

// Attack (shell): Call the approval page's server from a shell: without its token, from another port, as a form
// -> Refused: 401, 403, 415; another name or port in `Host`: 421; the token only reads
test("the page's server answers nobody without its token, writes for nobody but its own page, and has no other files", async () => {
  const { project } = await waiting();
  const judging = await judgingPage(project);
  const wanted = { decision: "approve", digest: "0" };
  const status = async (...request: Parameters<typeof asked>) => (await asked(...request)).status;
  expect(await status(judging, "page")).toBe(200);
  expect(await status({ ...judging, token: "guessed" }, "page")).toBe(401);
  expect((await fetch(`${judging.origin}/api/page?token=${judging.token}`)).status).toBe(401);
  expect(await status({ ...judging, token: "guessed" }, "statement", wanted)).toBe(401);
  expect(await status(judging, "statement", wanted, { origin: "http://localhost:1" })).toBe(403);
  expect(await status(judging, "statement", wanted, { "sec-fetch-site": "same-site" })).toBe(403);
  expect(await status(judging, "statement", wanted, { "content-type": "text/plain" })).toBe(415);
  expect(await status(judging, "statement", { ...wanted, admin: true })).toBe(400);
  expect(await status(judging, "constructor", {})).toBe(404);
  for (const path of ["/package.json", "/..%2fpackage.json", "/assets/", "/index.html", "/licenses.md"])
    expect((await fetch(judging.origin + path)).status).toBe(404);
  const { headers } = await fetch(judging.origin);
  expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
  expect(headers.get("set-cookie")).toBeNull();
});

const hostile = {
  outputs: {
    "<b>name</b>": '<img src=x onerror="globalThis.attacked=1"><script>globalThis.attacked=1</script>',
    ansi: "\u001b[31mred\u001b[0m",
    bidi: "safe\u202egnp.exe",
    long: "x".repeat(100_000),
  },
  content: [{ path: "notes.md", text: `<script>globalThis.attacked=1</script>\n${"y".repeat(200_000)}\n\u0007\n` }],
};

// Attack (tools): Submit HTML, scripts, escape codes, direction marks or endless lines for the approval page or the dashboard to show
// -> Nothing runs and nothing is hidden: it is shown as text, cut in lists
test("whatever an assistant hands in is letters on the page: nothing runs, nothing is hidden, nothing stretches it", async () => {
  const { project } = await waiting(hostile);
  const judging = await judgingPage(project);
  await visit(
    async ({ page }) => {
      const blocked: string[] = [];
      page.on("console", (message) => void blocked.push(message.text()));
      await page.goto(judging.url);
      await page.getByText("<b>name</b>").waitFor();
      expect(await page.evaluate("globalThis.attacked")).toBeUndefined();
      expect(await page.locator("main").textContent()).toContain("␛[31mred␛[0m");
      expect(await page.locator("main").textContent()).toContain("safeU+202Egnp.exe");
      await page.getByText("98,000 more characters").waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      expect(await page.evaluate("document.querySelectorAll('main img, main script, main b').length")).toBe(0);
      // The token is in no address that is kept, and in no cookie.
      expect(page.url()).toBe(`${judging.origin}/`);
      expect(await page.evaluate("document.cookie")).toBe("");
      expect(blocked).toEqual([]);
    },
    { viewport: { width: 390, height: 800 } },
  );
});
