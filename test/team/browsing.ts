/** A browser as far as cookies and redirects go. */
export function browser() {
  const jar = new Map<string, Map<string, string>>();
  const set: string[] = [];
  return {
    set,
    async get(url: string, init: RequestInit = {}): Promise<Response> {
      const { host } = new URL(url);
      const own = jar.get(host) ?? new Map<string, string>();
      jar.set(host, own);
      const cookie = [...own].map(([name, value]) => `${name}=${value}`).join("; ");
      const response = await fetch(url, { ...init, redirect: "manual", headers: { ...init.headers, cookie } });
      for (const line of response.headers.getSetCookie()) {
        set.push(line);
        const [name = "", value = ""] = line.split(";")[0]?.split(/=(.*)/s) ?? [];
        if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) own.delete(name);
        else own.set(name, value);
      }
      const to = response.headers.get("location");
      return to === null || response.status < 300 || response.status > 399 ? response : this.get(new URL(to, url).href);
    },
    /** Signs in at the issuer's own pages, which ask for a name and then for consent. */
    async signIn(url: string, name: string): Promise<Response> {
      const login = await this.get(url);
      const consent = await this.post(formOf(login.url, await login.text()), {
        prompt: "login",
        login: name,
        password: "x",
      });
      return this.post(formOf(consent.url, await consent.text()), { prompt: "consent" });
    },
    post(url: string, body: Record<string, string>): Promise<Response> {
      return this.get(url, { method: "POST", body: new URLSearchParams(body) });
    },
  };
}

function formOf(page: string, html: string): string {
  return new URL(/action="([^"]+)"/.exec(html)?.[1] ?? "", page).href;
}
