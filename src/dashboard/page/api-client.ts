/** The server's answer: data, or an error message for people. */
export type Answer<T> = { readonly data: T } | { readonly no: string; readonly status: number };

const kept = "waymark.token";

/** Moves the token from the address, where it would be visible, into this tab's storage; returns true if there was one. */
export function takeTokenFromAddress(): boolean {
  // A location starts with a slash, a token never does: `#TOKEN`, `#/runs`, or both, `#TOKEN/runs`.
  const [, token = "", place = ""] = /^#([^/]*)(\/.*)?$/.exec(location.hash) ?? [];
  if (token === "") return false;
  keepToken(token);
  history.replaceState(null, "", `${location.pathname}${location.search}${place === "" ? "" : `#${place}`}`);
  return true;
}

/** Stores a token while this tab is open. */
export function keepToken(token: string): void {
  sessionStorage.setItem(kept, token);
}

/** Returns this tab's token. */
export function currentToken(): string {
  return sessionStorage.getItem(kept) ?? "";
}

/** Sends a GET request to the server. */
export function getJson<T>(what: string): Promise<Answer<T>> {
  return fetchJson(what, { method: "GET" });
}

/** Sends a POST request to the server. */
export function postJson<T>(what: string, data: object): Promise<Answer<T>> {
  return fetchJson(what, {
    method: "POST",
    body: JSON.stringify(data),
    headers: { "content-type": "application/json" },
  });
}

/** Sends a request with this page's token and project. */
export function request(what: string, init: RequestInit = {}): Promise<Response> {
  const token = currentToken();
  const headers = { ...init.headers, ...(token === "" ? {} : { authorization: `Bearer ${token}` }) };
  const url = new URL(`/api/${what}`, location.origin);
  const asked = new URLSearchParams(location.search);
  for (const name of ["project", "passkey"]) {
    const value = asked.get(name);
    if (value !== null) url.searchParams.set(name, value);
  }
  return fetch(url, { ...init, headers, cache: "no-store" });
}

async function fetchJson<T>(what: string, init: RequestInit): Promise<Answer<T>> {
  try {
    const answer = await request(what, init);
    const data = await answer.json();
    return answer.ok ? { data } : { no: String(data.message), status: answer.status };
  } catch {
    return { no: noResponseText, status: 0 };
  }
}

const noResponseText = "The server does not respond. Its command has ended, or the network is down.";
