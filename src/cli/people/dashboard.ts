import { basename, resolve } from "node:path";
import * as z from "zod/v4";
import { boardProject, dashboardMemory } from "../../app/open-dashboard.ts";
import type { OpenedWorkplace } from "../../app/open-workplace.ts";
import {
  isDashboardAt,
  type LocalDashboard,
  localDashboardUrl,
  serveLocalDashboard,
} from "../../dashboard/api/local-dashboard.ts";
import { newToken } from "../../http/token.ts";
import { parsedJson } from "../../kit/json.ts";
import { version } from "../../version.ts";
import { openPage } from "../terminal/open-browser.ts";
import { print } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";
import { type PlaceOptions, placesFor, requireProject, workplaceFor } from "../terminal/workplace-options.ts";

export type DashboardOptions = PlaceOptions & {
  readonly port?: string;
  /** False for `--no-open`. */
  readonly open?: boolean;
  readonly store?: string;
  readonly json?: true;
};

/** Serves the dashboard until the command ends; prints the address if one is already running. */
export async function dashboard(options: DashboardOptions): Promise<void> {
  const started = await startDashboard(options);
  const { url, board } = started;
  if (options.json === true) print(JSON.stringify({ url, started: board !== undefined }));
  else if (board === undefined) print(`The dashboard is already running: ${url}`);
  else print(`Dashboard: ${url}`, "Press Ctrl-C to stop.");
  if (options.open !== false && options.json !== true) openPage(url);
  if (board === undefined) return;
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) process.exit(1); // a second signal means now
    isStopping = true;
    void started.close().finally(() => process.exit(0));
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  process.on("SIGHUP", stop);
}

export type StartedDashboard = {
  readonly url: string;
  /** The server, or undefined if another process runs it. */
  readonly board?: LocalDashboard;
  close(): Promise<void>;
};

/** Starts the dashboard without handling signals. */
export async function startDashboard(options: DashboardOptions): Promise<StartedDashboard> {
  const port = parsePort(options.port);
  const { root } = placesFor(options);
  const memory = memoryOf(options);
  const known = await rememberedDashboard(memory);
  if (known !== undefined && (await isDashboardAt(known.port, known.token)))
    return { url: localDashboardUrl(known.port, known.token), close: async () => undefined };
  // Reuse the last token and port, so that an open tab keeps working.
  const token = known?.token ?? newToken();
  const workplace = workplaceFor({ ...options, json: true });
  try {
    await requireProject(workplace, options);
    const board = await serveBoard(workplace, { root, token, port, last: known?.port });
    await memory.write(JSON.stringify({ port: board.port, token })).catch(() => undefined);
    const close = async (): Promise<void> => {
      await board.close();
      await workplace.settle();
      workplace.close();
    };
    return { url: localDashboardUrl(board.port, token), board, close };
  } catch (fault) {
    workplace.close();
    throw fault;
  }
}

/** The address of the dashboard that was last opened for a project, without its token; undefined if none was. */
export async function dashboardAddress(options: DashboardOptions): Promise<string | undefined> {
  const known = await rememberedDashboard(memoryOf(options));
  return known && new URL("/", localDashboardUrl(known.port, known.token)).href;
}

function memoryOf(options: DashboardOptions): ReturnType<typeof dashboardMemory> {
  const { root, projectArea = root, definitions = null } = placesFor(options);
  const place = JSON.stringify([root, projectArea, definitions, options.store ?? null, options.project ?? null]);
  return dashboardMemory(place, [root, projectArea]);
}

type ServeOptions = {
  readonly root: string;
  readonly token: string;
  readonly port?: number | undefined;
  readonly last?: number | undefined;
};

async function serveBoard(
  workplace: OpenedWorkplace,
  { root, token, port, last }: ServeOptions,
): Promise<LocalDashboard> {
  const projects = new Map([[basename(resolve(root)), boardProject(workplace, root)]]);
  const report = (fault: unknown): void => void process.stderr.write(`waymark: ${String(fault)}\n`);
  const serve = (at: number): Promise<LocalDashboard> =>
    serveLocalDashboard({ projects, version, report, token, port: at });
  if (port === undefined && last !== undefined) {
    const again = await serve(last).catch(undefinedIfTaken);
    if (again !== undefined) return again;
  }
  const board = await serve(port ?? 0).catch(undefinedIfTaken);
  if (board === undefined) throw new UserError(`Port ${port} is in use. Choose another with --port.`);
  return board;
}

function undefinedIfTaken(fault: unknown): undefined {
  if (!(fault instanceof Error && "code" in fault && (fault.code === "EADDRINUSE" || fault.code === "EACCES")))
    throw fault;
}

function parsePort(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  const port = /^\d{1,5}$/.test(written) ? Number(written) : Number.NaN;
  if (!(port <= 65_535)) throw new UserError(`--port ${written} is not a valid port. Use a number from 0 to 65535.`);
  return port;
}

async function rememberedDashboard(memory: {
  read(): Promise<string | undefined>;
}): Promise<z.infer<typeof memoryForm> | undefined> {
  const text = await memory.read().catch(() => undefined);
  return memoryForm.safeParse(parsedJson(text ?? "")).data;
}

const memoryForm = z.object({ port: z.number().int().min(1).max(65_535), token: z.string().min(20).max(100) });
