import type { RunnerRequest } from "../../engine/ports/runners.ts";
import { type JsonObject, parsedObject } from "../../kit/json.ts";

/** The server's answer to a runner: its status and what it said. */
export type RunnerAnswer = { readonly status: number; readonly said: JsonObject };

/** Asks the server; rejects if it cannot be reached. */
export type RunnerLink = (request: RunnerRequest, stop?: AbortSignal) => Promise<RunnerAnswer>;

/** The address of a project's runners, beside that of its tools. */
export function runnerUrl(url: URL): URL {
  const path = url.pathname.replace(/\/+$/, "");
  const inPlace = new URL(url);
  inPlace.pathname = path.replace(/\/mcp(?=\/[^/]*$|$)/, "/runner");
  return inPlace;
}

/** A link over HTTP, signed in by a token. */
export function runnerLink(url: URL, token: () => Promise<string | undefined>): RunnerLink {
  return async (request, stop) => {
    const bearer = await token();
    const response = await fetch(runnerUrl(url), {
      method: "POST",
      redirect: "error",
      headers: {
        "content-type": "application/json",
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      },
      body: JSON.stringify(request),
      ...(stop === undefined ? {} : { signal: stop }),
    });
    return { status: response.status, said: parsedObject(await response.text()) ?? {} };
  };
}
