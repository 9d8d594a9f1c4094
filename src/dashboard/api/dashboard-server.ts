import { Hono } from "hono";
import * as z from "zod/v4";
import type { Address } from "../../http/address.ts";
import { readJson } from "../../http/body.ts";
import type { Identify } from "../../http/identity.ts";
import { json } from "../../http/json-response.ts";
import type { Principal } from "../../http/principal.ts";
import { type Quota, quotas } from "../../http/quota.ts";
import { notFound, refusal } from "../../http/refusal-response.ts";
import { refuseForeignRead, refuseForeignWrite } from "../../http/refuse-foreign.ts";
import type { CallFacts } from "../../http/server-log.ts";
import { defined } from "../../kit/defined.ts";
import { type Board, openBoard } from "./board.ts";
import { type BoardHome, runFilterNames } from "./board-data.ts";
import { compressed } from "./compress.ts";
import { enrolments } from "./enrolment.ts";
import { exportResponse } from "./export-response.ts";
import { liveStream } from "./live-stream.ts";
import { pageFile, pageFiles } from "./pages/page-files.ts";
import type { PageOrigin } from "./pages/pages.ts";
import type { BoardProject } from "./ports.ts";
import { reviewFinder } from "./review-finder.ts";

/** The options of a dashboard server. */
export type DashboardOptions = {
  /** The projects by name; with several, a request names one. */
  readonly projects: ReadonlyMap<string, BoardProject>;
  readonly version: string;
  /** Identifies the viewer. */
  readonly identify: Identify;
  readonly report: (fault: unknown) => void;
};

/** The dashboard of a server: its page and its API. */
export type DashboardServer = {
  /** Answers a request, or returns undefined for unknown paths; notes who asked for the log. */
  answer(request: Request, address: Address, facts?: CallFacts): Promise<Response | undefined>;
  /** Loads the data before the first request. */
  warm(): void;
  /** Ends all streams. */
  close(): void;
};

type Env = {
  Bindings: { readonly address: Address; readonly facts: CallFacts };
  Variables: { who: Principal; project: string; board: Board; place: BoardProject; leave: () => void };
};

/** The name of this part in the log. */
const route = "dashboard";

/** The limits of one person: a browser needs one stream and a few calls. */
const defaultQuota: Quota = { perSecond: 50, burst: 300, calls: 32, streams: 24 };

/** Creates the dashboard: its files are public, its data needs a token that may view. */
export function dashboardServer({ projects, version, identify, report }: DashboardOptions): DashboardServer {
  const boards = new Map<string, Board>();
  let isClosed = false;
  const boardOf = (name: string, place: BoardProject): Board => {
    const board = boards.get(name) ?? openBoard(place, report);
    boards.set(name, board);
    if (isClosed) board.close(); // late requests must not leave it open
    return board;
  };
  const matterOf = reviewFinder();
  const making = enrolments();
  const quota = quotas(defaultQuota);
  const app = new Hono<Env>();
  app.use("/api/*", async (context, next) => {
    const { req, env } = context;
    const isWrite = req.method !== "GET" && req.method !== "HEAD";
    const no = isWrite ? refuseForeignWrite(env.address, req.raw) : refuseForeignRead(req.raw);
    if (no !== undefined) return no;
    const who = await identify(req.raw);
    if ("refused" in who) return who.refused;
    env.facts.by = who.name;
    if (!mayView(who))
      return refusal(403, "forbidden", "This token cannot view the dashboard. Ask for a viewer's token.");
    const project = projectFor(projects, who, req.query("project"));
    const place = project === undefined ? undefined : projects.get(project);
    if (project === undefined || place === undefined) return notFound();
    env.facts.project = project;
    context.set("who", who);
    context.set("project", project);
    context.set("place", place);
    context.set("board", boardOf(project, place));
    const entered = quota.enter(who.id, req.path === "/api/live" ? "streams" : "calls");
    if ("after" in entered)
      return refusal(429, "unavailable", "Too many requests with this token. Try again later.", {
        "retry-after": String(entered.after),
      });
    context.set("leave", entered.leave);
    try {
      await next();
    } finally {
      if (req.path !== "/api/live") entered.leave(); // a stream leaves when it ends
    }
    return undefined;
  });
  app.get("/api/page", async ({ req, var: { who, project, place } }) => {
    const passkey = req.query("passkey") === undefined ? undefined : await making.begin(place, project, who);
    if (passkey !== undefined) return json(await passkey.data());
    const { name, role } = who;
    return json({
      kind: "board",
      project,
      projects: [...projects.keys()].filter((one) => canSeeProject(who, one)),
      version,
      ...defined({ name }),
      ...(role === "viewer" || role === "approver" || role === "author" ? { role } : {}),
      approves: mayApprove(who),
    } satisfies BoardHome);
  });
  app.get("/api/runs", async ({ req, var: { board } }) => {
    const given = runFilterNames.flatMap((name) => (req.query(name) ? [[name, req.query(name)?.slice(0, 500)]] : []));
    return json(await board.runs(Object.fromEntries(given)));
  });
  app.get("/api/runs/:key", async ({ req, var: { board } }) => jsonOrNotFound(await board.run(req.param("key"))));
  app.get("/api/runs/:key/records", async ({ req, var: { board } }) => {
    const window = windowForm.safeParse(req.query());
    if (!window.success)
      return refusal(400, "invalid_input", "from, before and count must be numbers, and count at most 500.");
    const { count, from, before } = window.data;
    const asked = { count, ...defined({ from, before }) };
    return jsonOrNotFound(await board.records(req.param("key"), asked));
  });
  app.get("/api/runs/:key/attempt", async ({ req, var: { board } }) => {
    const ref = refForm.safeParse(req.query());
    if (!ref.success) return refusal(400, "invalid_input", "workflow, step, pass and attempt are required.");
    return jsonOrNotFound(await board.attempt(req.param("key"), ref.data));
  });
  app.get("/api/inbox", async ({ var: { board } }) => json(await board.inbox()));
  app.get("/api/audit", async ({ req, var: { board } }) =>
    json(await board.audit(req.query("again") === "1", req.query("after"))),
  );
  app.get("/api/process", async ({ var: { board, who } }) =>
    json(await board.process(who.role === undefined || who.role === "author")),
  );
  app.get("/api/search", async ({ req, var: { board } }) => {
    const query = req.query("query") ?? "";
    if (query.trim() === "" || query.length > 2000)
      return refusal(400, "invalid_input", "query is required, with at most 2,000 characters.");
    return json(await board.search(query));
  });
  app.get("/api/export", async ({ var: { board } }) =>
    exportResponse([...(await board.streams()).values()], { at: new Date(), version }),
  );
  app.get("/api/live", ({ req: { raw }, var: { board, project, leave } }) => {
    const mayGoOn = async (): Promise<boolean> => {
      const who = await identify(raw);
      return !("refused" in who) && mayView(who) && canSeeProject(who, project);
    };
    return liveStream(board.live, mayGoOn, leave);
  });
  app.get("/api/runs/:key/judging", async ({ req, var: { board, place, project, who } }) => {
    const { workflow = "", step = "" } = req.query();
    const stream = await board.find(req.param("key"));
    const caller = dashboardCaller(who, version);
    const matter =
      stream && (await matterOf(place, { project, stream, workflow, step, caller, unsigned: isApprover(who) }));
    return matter === undefined ? notFound() : json(await matter.data());
  });
  app.get("/api/runs/:key/file", async ({ req, var: { board } }) => {
    const { path = "", sha256: hash = "" } = req.query();
    return jsonOrNotFound(await board.file(req.param("key"), path, hash));
  });
  app.post("/api/runs/:key/:act{statement|answer|respond}", async ({ req, var: { board, place, project, who } }) => {
    if (!mayApprove(who))
      return refusal(403, "forbidden", "This token is view only. Approving needs an approver's token and passkey.");
    const read = await readJson(req.raw, { bytes: 256 * 1024, levels: 10 });
    if ("refused" in read) return read.refused;
    const sent = answerForm.safeParse(read.value);
    if (!sent.success) return refusal(400, "invalid_input", "The page sent invalid data. Reload it.");
    const { workflow, step, ...rest } = sent.data;
    const stream = await board.find(req.param("key"));
    const [caller, unsigned] = [dashboardCaller(who, version), isApprover(who)];
    const matter = stream && (await matterOf(place, { project, stream, workflow, step, caller, unsigned }));
    const act = matter?.actions[req.param("act")];
    if (act === undefined) return notFound();
    const answer = await act(rest, pageOrigin(req.header("origin")));
    return answer instanceof Response ? answer : json(answer);
  });
  app.post("/api/:act{options|enrol}", async ({ req, var: { place, project, who } }) => {
    const act = req.param("act");
    const matter = act === "options" ? await making.begin(place, project, who) : making.current(project, who);
    if (matter === undefined)
      return refusal(403, "forbidden", "Only an approver can create a passkey here, for themselves.");
    const read = await readJson(req.raw, { bytes: 256 * 1024, levels: 10 });
    if ("refused" in read) return read.refused;
    const answer = await matter.actions[act]?.(read.value, pageOrigin(req.header("origin")));
    return answer === undefined ? notFound() : answer instanceof Response ? answer : json(answer);
  });
  app.all("/api/*", notFound);
  app.onError((fault) => {
    throw fault;
  });
  return {
    async answer(request, address, facts = { route }) {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith("/api/")) {
        facts.route = route;
        return compressed(request, await app.fetch(request, { address, facts }));
      }
      const isRead = request.method === "GET" || request.method === "HEAD";
      const file = isRead ? pageFile(await pageFiles(), pathname) : undefined;
      if (file !== undefined) facts.route = route;
      return file;
    },
    warm() {
      for (const [name, place] of projects) boardOf(name, place).warm();
    },
    close() {
      isClosed = true;
      for (const board of boards.values()) board.close();
    },
  };
}

/** Tells if a caller may view: a person at this machine or with such a token, no assistant and no runner. */
function mayView({ role }: Principal): boolean {
  return role === undefined || role === "viewer" || role === "approver" || role === "author";
}

/** Tells if a caller may approve; their passkey is checked as well. */
function mayApprove({ role }: Principal): boolean {
  return role === undefined || role === "approver";
}

/** Tells if a token names an approver; the local dashboard has no such token, since an assistant could start it. */
function isApprover({ role }: Principal): boolean {
  return role === "approver";
}

function canSeeProject({ project: only }: Principal, project: string): boolean {
  return only === null || only === project;
}

/** Picks the requested project; one the caller may not see does not exist for them. */
function projectFor(
  projects: DashboardOptions["projects"],
  who: Principal,
  named: string | undefined,
): string | undefined {
  const theirs = [...projects.keys()].filter((project) => canSeeProject(who, project));
  return named === undefined ? theirs[0] : theirs.find((project) => project === named);
}

/** Derives origin and passkey host of the calling page; writes were already checked against the server's origins. */
function pageOrigin(origin = ""): PageOrigin {
  return { origin, rpId: URL.canParse(origin) ? new URL(origin).hostname : "" };
}

function dashboardCaller({ id, name }: Principal, version: string): { id: string; client: string; name?: string } {
  return { id, client: `waymark dashboard ${version}`, ...defined({ name }) };
}

const number = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

const windowForm = z.object({
  count: number.max(500).default(100),
  from: number.optional(),
  before: number.optional(),
});

const refForm = z.object({ workflow: z.string(), step: z.string(), pass: number, attempt: number });

const answerForm = z.looseObject({ workflow: z.string().max(1000), step: z.string().max(1000) });

function jsonOrNotFound(value: object | undefined): Response {
  return value === undefined ? notFound() : json(value);
}
