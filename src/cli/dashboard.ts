import { basename, resolve } from "node:path";
import * as z from "zod/v4";
import type { OpenedWorkplace } from "../compose.ts";
import { boardProject, dashboardMemory } from "../compose-board.ts";
import { answersAt, type OwnBoard, ownUrl, serveOwnBoard } from "../http/board/own-board.ts";
import { newToken } from "../http/token.ts";
import { version } from "../version.ts";
import { UserFault } from "./fault.ts";
import { openPage } from "./open-browser.ts";
import { print } from "./print.ts";
import { needProject, type PlaceOptions, placesFor, workplaceFor } from "./workplace.ts";

export type DashboardOptions = PlaceOptions & {
  readonly port?: string;
  /** False: the browser is left alone. */
  readonly open?: boolean;
  readonly store?: string;
  readonly json?: true;
};

/** Serves the dashboard to the person at this machine until it is ended; where one is being served already, says where. */
export async function dashboard(options: DashboardOptions): Promise<void> {
  const started = await startDashboard(options);
  const { url, board } = started;
  if (options.json === true) print(JSON.stringify({ url, started: board !== undefined }));
  else if (board === undefined) print(`The dashboard is open already: ${url}`);
  else print(`The dashboard: ${url}`, "It is served until this command is ended: Ctrl-C.");
  if (options.open !== false && options.json !== true) openPage(url);
  if (board === undefined) return;
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) process.exit(1); // whoever asks twice does not want to wait
    isStopping = true;
    void started.close().finally(() => process.exit(0));
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  process.on("SIGHUP", stop);
}

export type StartedDashboard = {
  readonly url: string;
  /** What serves it; nothing where another process does. */
  readonly board?: OwnBoard;
  close(): Promise<void>;
};

/** The same without a process around it. */
export async function startDashboard(options: DashboardOptions): Promise<StartedDashboard> {
  const port = portOf(options.port);
  const places = placesFor(options);
  const { root, projectArea = root, definitions = null } = places;
  const place = JSON.stringify([root, projectArea, definitions, options.store ?? null, options.project ?? null]);
  const memory = dashboardMemory(place, [root, projectArea]);
  const known = await remembered(memory);
  if (known !== undefined && (await answersAt(known.port, known.token)))
    return { url: ownUrl(known.port, known.token), close: async () => undefined };
  // The same token and, where it is free, the same port as the last time: a tab that is still open goes on.
  const token = known?.token ?? newToken();
  const workplace = workplaceFor({ ...options, json: true });
  try {
    await needProject(workplace, options);
    const board = await served(workplace, { root, token, port, last: known?.port });
    await memory.write(JSON.stringify({ port: board.port, token })).catch(() => undefined);
    const close = async (): Promise<void> => {
      await board.close();
      await workplace.settle();
      workplace.close();
    };
    return { url: ownUrl(board.port, token), board, close };
  } catch (fault) {
    workplace.close();
    throw fault;
  }
}

type Serving = {
  readonly root: string;
  readonly token: string;
  readonly port?: number | undefined;
  readonly last?: number | undefined;
};

async function served(workplace: OpenedWorkplace, { root, token, port, last }: Serving): Promise<OwnBoard> {
  const projects = new Map([[basename(resolve(root)), boardProject(workplace, root)]]);
  const report = (fault: unknown): void => void process.stderr.write(`waymark: ${String(fault)}\n`);
  const serve = (at: number): Promise<OwnBoard> => serveOwnBoard({ projects, version, report, token, port: at });
  if (port === undefined && last !== undefined) {
    const again = await serve(last).catch(unlessTaken);
    if (again !== undefined) return again;
  }
  const board = await serve(port ?? 0).catch(unlessTaken);
  if (board === undefined) throw new UserFault(`Port ${port} is taken by another program: name another with --port.`);
  return board;
}

function unlessTaken(fault: unknown): undefined {
  if (!(fault instanceof Error && "code" in fault && (fault.code === "EADDRINUSE" || fault.code === "EACCES")))
    throw fault;
}

function portOf(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  const port = /^\d{1,5}$/.test(written) ? Number(written) : Number.NaN;
  if (!(port <= 65_535)) throw new UserFault(`--port ${written} is no port.`);
  return port;
}

async function remembered(memory: {
  read(): Promise<string | undefined>;
}): Promise<z.infer<typeof memoryForm> | undefined> {
  const text = await memory.read().catch(() => undefined);
  try {
    return text === undefined ? undefined : memoryForm.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

const memoryForm = z.object({ port: z.number().int().min(1).max(65_535), token: z.string().min(20).max(100) });
