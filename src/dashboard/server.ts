/** What the server answered: data, or a no with a sentence for people. */
export type Answered<T> = { readonly data: T } | { readonly no: string; readonly status: number };

const kept = "waymark.token";

/** Takes the token out of the page's address, where it would be seen and kept, into what this tab alone remembers; says whether there was one. */
export function takeToken(): boolean {
  // A place begins with a slash, a token never does: `#TOKEN`, `#/runs`, or both, `#TOKEN/runs`.
  const [, token = "", place = ""] = /^#([^/]*)(\/.*)?$/.exec(location.hash) ?? [];
  if (token === "") return false;
  keepToken(token);
  history.replaceState(null, "", `${location.pathname}${location.search}${place === "" ? "" : `#${place}`}`);
  return true;
}

/** Remembers a token for as long as this tab is open. */
export function keepToken(token: string): void {
  sessionStorage.setItem(kept, token);
}

/** The token of this tab. */
export function tokenHere(): string {
  return sessionStorage.getItem(kept) ?? "";
}

/** Asks the server for something. */
export function ask<T>(what: string): Promise<Answered<T>> {
  return fetched(what, { method: "GET" });
}

/** Sends the server something. */
export function tell<T>(what: string, data: object): Promise<Answered<T>> {
  return fetched(what, { method: "POST", body: JSON.stringify(data), headers: { "content-type": "application/json" } });
}

/** A request to the server as this page sends them: with its token, about its project. */
export function request(what: string, init: RequestInit = {}): Promise<Response> {
  const headers = { ...init.headers, authorization: `Bearer ${tokenHere()}` };
  const url = new URL(`/api/${what}`, location.origin);
  const asked = new URLSearchParams(location.search);
  for (const name of ["project", "passkey"]) {
    const value = asked.get(name);
    if (value !== null) url.searchParams.set(name, value);
  }
  return fetch(url, { ...init, headers, cache: "no-store" });
}

async function fetched<T>(what: string, init: RequestInit): Promise<Answered<T>> {
  try {
    const answer = await request(what, init);
    const data = await answer.json();
    return answer.ok ? { data } : { no: String(data.message), status: answer.status };
  } catch {
    return { no: gone, status: 0 };
  }
}

const gone = "Nobody answers. The command that served this page has ended, or the network is down.";
