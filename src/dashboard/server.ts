/** What the server answered: data, or a no with a sentence for people. */
export type Answered<T> = { readonly data: T } | { readonly no: string; readonly status: number };

const kept = "waymark.token";

/** Takes the token out of the page's address, where it would be seen and kept, into what this tab alone remembers. */
export function takeToken(): void {
  const token = location.hash.slice(1);
  if (token === "") return;
  sessionStorage.setItem(kept, token);
  history.replaceState(null, "", location.pathname);
}

/** Asks the server for something. */
export function ask<T>(what: string): Promise<Answered<T>> {
  return fetched(what, { method: "GET" });
}

/** Sends the server something. */
export function tell<T>(what: string, data: object): Promise<Answered<T>> {
  return fetched(what, { method: "POST", body: JSON.stringify(data), headers: { "content-type": "application/json" } });
}

async function fetched<T>(what: string, request: RequestInit): Promise<Answered<T>> {
  const headers = { ...request.headers, authorization: `Bearer ${sessionStorage.getItem(kept) ?? ""}` };
  try {
    const answer = await fetch(`/api/${what}`, { ...request, headers, cache: "no-store" });
    const data = await answer.json();
    return answer.ok ? { data } : { no: String(data.message), status: answer.status };
  } catch {
    return { no: gone, status: 0 };
  }
}

const gone =
  "Nobody answers. The command that opened this page has ended, or what it served is over: run waymark approve --web again.";
