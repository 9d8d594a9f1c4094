import { loopback } from "../address.ts";
import { listen } from "../listen.ts";
import { pageFiles } from "../pages/page-files.ts";
import { anybody } from "../principal.ts";
import { nothingHere, refusal } from "../refusal.ts";
import { bearerOf } from "../token.ts";
import { hashToken } from "../token-record.ts";
import { type BoardParts, boardDoor } from "./door.ts";

/** The only name under which browsers let a page on this machine use passkeys. */
const name = "localhost";

/** A dashboard for the person at this machine, and how to end it. */
export type OwnBoard = { readonly port: number; close(): Promise<void> };

/** Serves the dashboard on loopback, behind a token. Fails where the port is taken. */
export async function serveOwnBoard(
  parts: Pick<BoardParts, "projects" | "version" | "report"> & { readonly port: number; readonly token: string },
): Promise<OwnBoard> {
  await pageFiles(); // a page that is not there is said to whoever opens it
  const wanted = hashToken(parts.token);
  const door = boardDoor({
    ...parts,
    identify: async (request) => {
      const token = bearerOf(request);
      return token !== undefined && hashToken(token) === wanted ? anybody : { refused: unknown() };
    },
  });
  const listening = await listen({
    addresses: loopback,
    port: parts.port,
    names: [name],
    answer: async (request, address) => (await door.answer(request, address)) ?? nothingHere(),
    report: parts.report,
  });
  door.warm(); // the browser takes a moment to open
  return {
    port: listening.port,
    async close() {
      door.close();
      await listening.close(1000);
    },
  };
}

/** Where a person opens it. A fragment is sent to no server, and stands in no log. */
export function ownUrl(port: number, token: string): string {
  return `http://${name}:${port}/#${token}`;
}

/** Whether a dashboard that takes this token answers there. */
export async function answersAt(port: number, token: string): Promise<boolean> {
  try {
    const answer = await fetch(`http://${name}:${port}/api/page`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(2000),
    });
    const page: unknown = answer.ok ? await answer.json() : undefined;
    return typeof page === "object" && page !== null && "kind" in page && page.kind === "board";
  } catch {
    return false;
  }
}

function unknown(): Response {
  const headers = { "www-authenticate": "Bearer" };
  return refusal(
    401,
    "forbidden",
    "This page was opened without its whole address: waymark dashboard prints it.",
    headers,
  );
}
