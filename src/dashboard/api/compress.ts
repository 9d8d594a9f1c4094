import { promisify } from "node:util";
import { gzip } from "node:zlib";

const gzipBytes = promisify(gzip);

/** The number of characters below which compression is not worth it. */
const minLength = 4096;

/** Compresses a long answer for a remote client that accepts it. */
export async function compressed(request: Request, response: Response): Promise<Response> {
  const isFar = !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(request.url).hostname);
  const isTaken = /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
  const isData = response.headers.get("content-type")?.startsWith("application/json") === true;
  if (!isFar || !isTaken || !isData || response.headers.has("content-disposition")) return response;
  const bytes = Buffer.from(await response.arrayBuffer());
  const { status } = response;
  const headers = new Headers(response.headers);
  if (bytes.length < minLength) return new Response(bytes, { status, headers });
  headers.set("content-encoding", "gzip");
  headers.set("vary", "accept-encoding");
  return new Response(new Uint8Array(await gzipBytes(bytes, { level: 3 })), { status, headers });
}
