import { Hono } from "hono";
import { type Address, loopback } from "../address.ts";
import { writeTurnedAway } from "../admit.ts";
import { readJson } from "../body.ts";
import { json } from "../json.ts";
import { type Listening, listen } from "../listen.ts";
import { nothingHere, refusal } from "../refusal.ts";
import { bearerOf, newToken } from "../token.ts";
import { hashToken } from "../token-record.ts";
import type { PageData } from "./page-data.ts";
import { pageFile, pageFiles } from "./page-files.ts";

/** What one page is about, and what can be done on it. */
export type Matter = {
  show(): Promise<PageData>;
  /** By name, what the page can ask for; a no is answered as it is. */
  readonly acts: Readonly<Record<string, (data: unknown, here: Here) => Promise<object | Response>>>;
};

/** Where a page stands: its origin, and the host name that passkeys belong to. */
export type Here = { readonly origin: string; readonly rpId: string };

/** Pages on loopback, each behind a token of its own. */
export type Pages = {
  /** The URL of a page about this; it is good until it is let go. */
  open(matter: Matter): Promise<{ readonly url: string; release(): void }>;
  close(): Promise<void>;
};

/** The only name under which browsers let a page on this machine use passkeys. */
const name = "localhost";

/** Serves pages to the browser of the person at this machine. Nothing listens before the first one is opened. */
export function openPages(report: (fault: unknown) => void): Pages {
  const matters = new Map<string, Matter>();
  let listening: Promise<Listening> | undefined;
  const app = routes(matters);
  const start = (): Promise<Listening> =>
    listen({
      addresses: loopback,
      port: 0,
      names: [name],
      answer: (request, address) => app.fetch(request, { address }),
      report,
    });
  return {
    async open(matter) {
      await pageFiles(); // a page that is not there is said to whoever opens it
      listening ??= start().catch((fault: unknown) => {
        listening = undefined; // the next page tries again
        throw fault;
      });
      const { port } = await listening;
      const token = newToken();
      matters.set(hashToken(token), matter);
      // A fragment is sent to no server, and stands in no log.
      return {
        url: `http://${name}:${port}/#${token}`,
        release: () => void matters.delete(hashToken(token)),
      };
    },
    async close() {
      matters.clear();
      await (await listening?.catch(() => undefined))?.close(1000);
    },
  };
}

type Env = { Bindings: { readonly address: Address } };

function routes(matters: ReadonlyMap<string, Matter>): Hono<Env> {
  const app = new Hono<Env>();
  const matterOf = (request: Request): Matter | undefined => {
    const token = bearerOf(request);
    return token === undefined ? undefined : matters.get(hashToken(token));
  };
  app.get("/api/page", async ({ req: { raw } }) => {
    const matter = matterOf(raw);
    return matter === undefined ? unknown() : json(await matter.show());
  });
  app.post("/api/:act", async ({ req, env: { address } }) => {
    const no = writeTurnedAway(address, req.raw);
    if (no !== undefined) return no;
    const matter = matterOf(req.raw);
    if (matter === undefined) return unknown();
    const act = Object.hasOwn(matter.acts, req.param("act")) ? matter.acts[req.param("act")] : undefined;
    if (act === undefined) return nothingHere();
    const read = await readJson(req.raw, { bytes: 256 * 1024, levels: 10 });
    if ("refused" in read) return read.refused;
    const answer = await act(read.value, { origin: req.header("origin") ?? "", rpId: name });
    return answer instanceof Response ? answer : json(answer);
  });
  app.get("*", async ({ req }) => pageFile(await pageFiles(), req.path) ?? nothingHere());
  app.notFound(nothingHere);
  app.onError((fault) => {
    throw fault;
  });
  return app;
}

function unknown(): Response {
  const headers = { "www-authenticate": "Bearer" };
  return refusal(401, "forbidden", "This page is over, or was opened without its whole address.", headers);
}
