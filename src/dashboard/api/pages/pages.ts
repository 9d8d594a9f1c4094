import { Hono } from "hono";
import { type Address, loopback } from "../../../http/address.ts";
import { readJson } from "../../../http/body.ts";
import { json } from "../../../http/json-response.ts";
import { type Listening, listen } from "../../../http/listen.ts";
import { notFound, refusal } from "../../../http/refusal-response.ts";
import { refuseForeignWrite } from "../../../http/refuse-foreign.ts";
import { bearerOf, newToken } from "../../../http/token.ts";
import { hashToken } from "../../../http/token-record.ts";
import type { PageData } from "./page-data.ts";
import { pageFile, pageFiles } from "./page-files.ts";

/** The data and actions of one page. */
export type PageHandler = {
  data(): Promise<PageData>;
  /** The actions of the page by name; a refusal is sent as it is. */
  readonly actions: Readonly<Record<string, (data: unknown, here: PageOrigin) => Promise<object | Response>>>;
};

/** The origin of a page, and the host name its passkeys belong to. */
export type PageOrigin = { readonly origin: string; readonly rpId: string };

/** Pages on loopback, each behind its own token. */
export type Pages = {
  /** Opens a page; its URL is valid until released. */
  open(matter: PageHandler): Promise<{ readonly url: string; release(): void }>;
  close(): Promise<void>;
};

/** The only host name under which browsers allow passkeys on a local page. */
const name = "localhost";

/** Serves pages to the local browser; nothing listens before the first one opens. */
export function openPages(report: (fault: unknown) => void): Pages {
  const matters = new Map<string, PageHandler>();
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
      await pageFiles(); // fail early if the page is missing
      listening ??= start().catch((fault: unknown) => {
        listening = undefined; // the next page tries again
        throw fault;
      });
      const { port } = await listening;
      const token = newToken();
      matters.set(hashToken(token), matter);
      // Browsers send fragments to no server and no log.
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

function routes(matters: ReadonlyMap<string, PageHandler>): Hono<Env> {
  const app = new Hono<Env>();
  const matterOf = (request: Request): PageHandler | undefined => {
    const token = bearerOf(request);
    return token === undefined ? undefined : matters.get(hashToken(token));
  };
  app.get("/api/page", async ({ req: { raw } }) => {
    const matter = matterOf(raw);
    return matter === undefined ? expiredPage() : json(await matter.data());
  });
  app.post("/api/:act", async ({ req, env: { address } }) => {
    const no = refuseForeignWrite(address, req.raw);
    if (no !== undefined) return no;
    const matter = matterOf(req.raw);
    if (matter === undefined) return expiredPage();
    const act = Object.hasOwn(matter.actions, req.param("act")) ? matter.actions[req.param("act")] : undefined;
    if (act === undefined) return notFound();
    const read = await readJson(req.raw, { bytes: 256 * 1024, levels: 10 });
    if ("refused" in read) return read.refused;
    const answer = await act(read.value, { origin: req.header("origin") ?? "", rpId: name });
    return answer instanceof Response ? answer : json(answer);
  });
  app.get("*", async ({ req }) => pageFile(await pageFiles(), req.path) ?? notFound());
  app.notFound(notFound);
  app.onError((fault) => {
    throw fault;
  });
  return app;
}

function expiredPage(): Response {
  const headers = { "www-authenticate": "Bearer" };
  return refusal(401, "forbidden", "This page has expired, or was opened without its full address.", headers);
}
