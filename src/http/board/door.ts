import { Hono } from "hono";
import * as z from "zod/v4";
import type { Address } from "../address.ts";
import { readTurnedAway, writeTurnedAway } from "../admit.ts";
import { readJson } from "../body.ts";
import type { Told } from "../call-log.ts";
import type { Identify } from "../identity.ts";
import { json } from "../json.ts";
import { pageFile, pageFiles } from "../pages/page-files.ts";
import type { Here } from "../pages/pages.ts";
import type { Principal } from "../principal.ts";
import { type Quota, quotas } from "../quota.ts";
import { nothingHere, refusal } from "../refusal.ts";
import { answering } from "./answering.ts";
import { type Board, openBoard } from "./board.ts";
import type { BoardHome } from "./board-data.ts";
import { enrolments } from "./enrolment.ts";
import { exported } from "./exporting.ts";
import { packed } from "./packed.ts";
import type { BoardProject } from "./ports.ts";
import { liveStream } from "./stream.ts";

/** What a board is opened with. */
export type BoardParts = {
  /** The projects by name; where there are several a request says which. */
  readonly projects: ReadonlyMap<string, BoardProject>;
  readonly version: string;
  /** Finds out who looks. */
  readonly identify: Identify;
  readonly report: (fault: unknown) => void;
};

/** The dashboard of a server: its page, and what that asks for. */
export type BoardDoor = {
  /** Undefined where it knows no such path; else it tells who asked for what. */
  answer(request: Request, address: Address, told?: Told): Promise<Response | undefined>;
  /** Reads what there is, before anybody asks for it. */
  warm(): void;
  /** Ends every stream. */
  close(): void;
};

type Env = {
  Bindings: { readonly address: Address; readonly told: Told };
  Variables: { who: Principal; project: string; board: Board; place: BoardProject; leave: () => void };
};

/** What the log calls this part of the server. */
const route = "dashboard";

/** What one person may ask for: a browser with a few tabs needs one stream, and a call now and then. */
const usual: Quota = { perSecond: 50, burst: 300, calls: 32, streams: 24 };

/** Opens the dashboard. Its files hold nothing, and are anybody's; everything else is for people with a token who may look. */
export function boardDoor({ projects, version, identify, report }: BoardParts): BoardDoor {
  const boards = new Map<string, Board>();
  let isClosed = false;
  const boardOf = (name: string, place: BoardProject): Board => {
    const board = boards.get(name) ?? openBoard(place, report);
    boards.set(name, board);
    if (isClosed) board.close(); // whoever is still answered leaves nothing behind
    return board;
  };
  const matterOf = answering();
  const making = enrolments();
  const quota = quotas(usual);
  const app = new Hono<Env>();
  app.use("/api/*", async (context, next) => {
    const { req, env } = context;
    const isWrite = req.method !== "GET" && req.method !== "HEAD";
    const no = isWrite ? writeTurnedAway(env.address, req.raw) : readTurnedAway(req.raw);
    if (no !== undefined) return no;
    const who = await identify(req.raw);
    if ("refused" in who) return who.refused;
    env.told.by = who.name;
    if (!mayLook(who)) return refusal(403, "forbidden", "This token is not for people who look: ask for a viewer's.");
    const project = projectFor(projects, who, req.query("project"));
    const place = project === undefined ? undefined : projects.get(project);
    if (project === undefined || place === undefined) return nothingHere();
    env.told.project = project;
    context.set("who", who);
    context.set("project", project);
    context.set("place", place);
    context.set("board", boardOf(project, place));
    const entered = quota.enter(who.id, req.path === "/api/live" ? "streams" : "calls");
    if ("after" in entered)
      return refusal(429, "unavailable", "Too much is asked for at once with this token. Ask again a little later.", {
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
    if (passkey !== undefined) return json(await passkey.show());
    const { name, role } = who;
    return json({
      kind: "board",
      project,
      projects: [...projects.keys()].filter((one) => isTheirs(who, one)),
      version,
      ...(name === undefined ? {} : { name }),
      ...(role === "viewer" || role === "approver" || role === "author" ? { role } : {}),
      approves: mayApprove(who),
    } satisfies BoardHome);
  });
  app.get("/api/runs", async ({ var: { board } }) => json(await board.runs()));
  app.get("/api/runs/:key", async ({ req, var: { board } }) => found(await board.run(req.param("key"))));
  app.get("/api/runs/:key/records", async ({ req, var: { board } }) => {
    const window = windowForm.safeParse(req.query());
    if (!window.success)
      return refusal(400, "invalid_input", "from, before and count are numbers; count is at most 500.");
    const { count, from, before } = window.data;
    const asked = { count, ...(from === undefined ? {} : { from }), ...(before === undefined ? {} : { before }) };
    return found(await board.records(req.param("key"), asked));
  });
  app.get("/api/runs/:key/attempt", async ({ req, var: { board } }) => {
    const ref = refForm.safeParse(req.query());
    if (!ref.success) return refusal(400, "invalid_input", "Name workflow, step, pass and attempt.");
    return found(await board.attempt(req.param("key"), ref.data));
  });
  app.get("/api/inbox", async ({ var: { board } }) => json(await board.inbox()));
  app.get("/api/audit", async ({ req, var: { board } }) => json(await board.audit(req.query("again") === "1")));
  app.get("/api/process", async ({ var: { board, who } }) =>
    json(await board.process(who.role === undefined || who.role === "author")),
  );
  app.get("/api/search", async ({ req, var: { board } }) => {
    const query = req.query("query") ?? "";
    if (query.trim() === "" || query.length > 2000)
      return refusal(400, "invalid_input", "Name what to look for in query, in at most 2,000 characters.");
    return json(await board.search(query));
  });
  app.get("/api/export", async ({ var: { board } }) =>
    exported([...(await board.desks()).values()], { at: new Date(), version }),
  );
  app.get("/api/live", ({ req: { raw }, var: { board, project, leave } }) => {
    const mayGoOn = async (): Promise<boolean> => {
      const who = await identify(raw);
      return !("refused" in who) && mayLook(who) && isTheirs(who, project);
    };
    return liveStream(board.live, mayGoOn, leave);
  });
  app.get("/api/runs/:key/judging", async ({ req, var: { board, place, project, who } }) => {
    const { workflow = "", step = "" } = req.query();
    const desk = await board.find(req.param("key"));
    const caller = callerOf(who, version);
    const matter = desk && (await matterOf(place, { project, desk, workflow, step, caller }));
    return matter === undefined ? nothingHere() : json(await matter.show());
  });
  app.post("/api/runs/:key/:act{statement|answer}", async ({ req, var: { board, place, project, who } }) => {
    if (!mayApprove(who))
      return refusal(403, "forbidden", "This token only looks: an approval needs an approver's token and passkey.");
    const read = await readJson(req.raw, { bytes: 256 * 1024, levels: 10 });
    if ("refused" in read) return read.refused;
    const sent = answerForm.safeParse(read.value);
    if (!sent.success) return refusal(400, "invalid_input", "The page sent something that is not understood here.");
    const { workflow, step, ...rest } = sent.data;
    const desk = await board.find(req.param("key"));
    const matter = desk && (await matterOf(place, { project, desk, workflow, step, caller: callerOf(who, version) }));
    const act = matter?.acts[req.param("act")];
    if (act === undefined) return nothingHere();
    const answer = await act(rest, hereOf(req.header("origin")));
    return answer instanceof Response ? answer : json(answer);
  });
  app.post("/api/:act{options|enrol}", async ({ req, var: { place, project, who } }) => {
    const act = req.param("act");
    const matter = act === "options" ? await making.begin(place, project, who) : making.begun(project, who);
    if (matter === undefined)
      return refusal(403, "forbidden", "Only an approver makes a passkey here, for themselves.");
    const read = await readJson(req.raw, { bytes: 256 * 1024, levels: 10 });
    if ("refused" in read) return read.refused;
    const answer = await matter.acts[act]?.(read.value, hereOf(req.header("origin")));
    return answer === undefined ? nothingHere() : answer instanceof Response ? answer : json(answer);
  });
  app.all("/api/*", nothingHere);
  app.onError((fault) => {
    throw fault;
  });
  return {
    async answer(request, address, told = { route }) {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith("/api/")) {
        told.route = route;
        return packed(request, await app.fetch(request, { address, told }));
      }
      const isRead = request.method === "GET" || request.method === "HEAD";
      const file = isRead ? pageFile(await pageFiles(), pathname) : undefined;
      if (file !== undefined) told.route = route;
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

/** Whoever sits at this machine, where nobody needs a token, and people whose token says so; no assistant and no runner. */
function mayLook({ role }: Principal): boolean {
  return role === undefined || role === "viewer" || role === "approver" || role === "author";
}

/** Their passkey is asked for besides. */
function mayApprove({ role }: Principal): boolean {
  return role === undefined || role === "approver";
}

function isTheirs({ project: only }: Principal, project: string): boolean {
  return only === null || only === project;
}

/** The project that is meant; another's is as if it were not there. */
function projectFor(projects: BoardParts["projects"], who: Principal, named: string | undefined): string | undefined {
  const theirs = [...projects.keys()].filter((project) => isTheirs(who, project));
  return named === undefined ? theirs[0] : theirs.find((project) => project === named);
}

/** Where the page stands that asks: writes have been held to the origins of this server. */
function hereOf(origin = ""): Here {
  return { origin, rpId: URL.canParse(origin) ? new URL(origin).hostname : "" };
}

function callerOf({ id, name }: Principal, version: string): { id: string; client: string; name?: string } {
  return { id, client: `waymark dashboard ${version}`, ...(name === undefined ? {} : { name }) };
}

const number = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

const windowForm = z.object({
  count: number.max(500).default(100),
  from: number.optional(),
  before: number.optional(),
});

const refForm = z.object({ workflow: z.string(), step: z.string(), pass: number, attempt: number });

const answerForm = z.looseObject({ workflow: z.string().max(1000), step: z.string().max(1000) });

function found(value: object | undefined): Response {
  return value === undefined ? nothingHere() : json(value);
}
