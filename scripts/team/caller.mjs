/** Calls a team's server without a client in between: each request goes to the address that `urlOf` names then. */
export function caller(urlOf, { era = "legacy", token } = {}) {
  let session;
  let id = 0;
  const base = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const post = async (method, params, more = {}) => {
    const headers = { ...base, ...(session === undefined ? {} : { "mcp-session-id": session }), ...more };
    const body = JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params });
    const response = await fetch(urlOf(), { method: "POST", headers, body, signal: AbortSignal.timeout(30_000) });
    const text = await response.text();
    if (response.status === 404) session = undefined;
    if (!response.ok) throw new Error(`${response.status}`);
    session ??= response.headers.get("mcp-session-id") ?? undefined;
    const [, data] = /^data: (\{.*)$/m.exec(text) ?? [undefined, text];
    return JSON.parse(data).result;
  };
  /** Calls a tool; a session is begun first where the era has them and none is known. */
  return async (name, args) => {
    const params = { name, arguments: args };
    if (era === "modern") return post("tools/call", { ...params, _meta: envelope }, { ...modern, "mcp-name": name });
    if (session === undefined)
      await post("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    return post("tools/call", params);
  };
}

const clientInfo = { name: "caller", version: "1" };
const modern = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call" };
const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": clientInfo,
  "io.modelcontextprotocol/clientCapabilities": {},
};
