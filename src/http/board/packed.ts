import { promisify } from "node:util";
import { gzip } from "node:zlib";

const pack = promisify(gzip);

/** Below this many characters nothing is gained, and neither is it on this machine's own network. */
const worthwhile = 4096;

/** The same answer, packed where it is long and goes over a network to somebody who can unpack it. */
export async function packed(request: Request, response: Response): Promise<Response> {
  const isFar = !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(request.url).hostname);
  const isTaken = /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
  const isData = response.headers.get("content-type")?.startsWith("application/json") === true;
  if (!isFar || !isTaken || !isData || response.headers.has("content-disposition")) return response;
  const bytes = Buffer.from(await response.arrayBuffer());
  const { status } = response;
  const headers = new Headers(response.headers);
  if (bytes.length < worthwhile) return new Response(bytes, { status, headers });
  headers.set("content-encoding", "gzip");
  headers.set("vary", "accept-encoding");
  return new Response(new Uint8Array(await pack(bytes, { level: 3 })), { status, headers });
}
