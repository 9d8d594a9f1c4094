import { loopback } from "../../http/address.ts";
import { listen } from "../../http/listen.ts";
import { anonymous } from "../../http/principal.ts";
import { notFound, refusal } from "../../http/refusal-response.ts";
import { bearerOf } from "../../http/token.ts";
import { hashToken } from "../../http/token-record.ts";
import { type DashboardOptions, dashboardServer } from "./dashboard-server.ts";
import { pageFiles } from "./pages/page-files.ts";

/** The only host name under which browsers allow passkeys on a local page. */
const name = "localhost";

/** The dashboard of the person at this machine. */
export type LocalDashboard = { readonly port: number; close(): Promise<void> };

/** Serves the dashboard on loopback behind a token; throws if the port is in use. */
export async function serveLocalDashboard(
  parts: Pick<DashboardOptions, "projects" | "version" | "report"> & { readonly port: number; readonly token: string },
): Promise<LocalDashboard> {
  await pageFiles(); // fail early if the page is missing
  const wanted = hashToken(parts.token);
  const transport = dashboardServer({
    ...parts,
    identify: async (request) => {
      const token = bearerOf(request);
      return token !== undefined && hashToken(token) === wanted ? anonymous : { refused: missingToken() };
    },
  });
  const listening = await listen({
    addresses: loopback,
    port: parts.port,
    names: [name],
    answer: async (request, address) => (await transport.answer(request, address)) ?? notFound(),
    report: parts.report,
  });
  transport.warm(); // load while the browser opens
  return {
    port: listening.port,
    async close() {
      transport.close();
      await listening.close(1000);
    },
  };
}

/** Returns the address for a person; the token is in the fragment, which is sent to no server. */
export function localDashboardUrl(port: number, token: string): string {
  return `http://${name}:${port}/#${token}`;
}

/** Tells if a dashboard with this token answers on this port. */
export async function isDashboardAt(port: number, token: string): Promise<boolean> {
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

function missingToken(): Response {
  const headers = { "www-authenticate": "Bearer" };
  return refusal(
    401,
    "forbidden",
    "This page was opened without its full address. Run waymark dashboard to get it.",
    headers,
  );
}
