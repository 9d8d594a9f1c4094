import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { extname } from "node:path";
import { pathToFileURL } from "node:url";
import { pageHeaders } from "../../../http/headers.ts";
import { once } from "../../../kit/once.ts";

/** The files of the page by path; `/` is the page itself. */
export type PageFiles = ReadonlyMap<string, { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> }>;

/** Reads the built page once; requests are looked up here and never reach a folder. */
export const pageFiles: () => Promise<PageFiles> = once(readAll);

/** Answers a request for a file of the page, or returns undefined if there is none. */
export function pageFile(files: PageFiles, path: string): Response | undefined {
  const file = files.get(path);
  return file && new Response(file.bytes, { headers: pageHeaders(file.type) });
}

async function readAll(): Promise<PageFiles> {
  // Next to the bundle, or, when run from source, in the latest build.
  const folder = ["./page/", "../../../../dist/page/"]
    .map((path) => new URL(path, import.meta.url))
    .find((url) => existsSync(new URL("index.html", url)));
  if (folder === undefined)
    throw new Error("The dashboard page is missing: this copy of Waymark was built without it.");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => `${parentPath}/${name}`);
  const served = await Promise.all(
    files.map(async (file) => {
      const path = pathToFileURL(file).href.slice(folder.href.length - 1);
      const type = types[extname(file)];
      if (type === undefined) return [];
      return [[path === "/index.html" ? "/" : path, { type, bytes: new Uint8Array(await readFile(file)) }] as const];
    }),
  );
  return new Map(served.flat());
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};
