import { createServer, request } from "node:http";

/**
 * A small balancer: each request goes to the next server in turn, and on to another where that one is not there. What was sent
 * to one that died under it is answered 502, as any balancer would.
 */
export async function startRoundRobin(targets, port = 0) {
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const chunks = [];
    incoming.on("data", (chunk) => chunks.push(chunk));
    incoming.on("end", () => forward(Buffer.concat(chunks), targets.length));
    function forward(body, tries) {
      const at = turn++ % targets.length;
      const { hostname, port } = new URL(targets[at]());
      const { method, url, headers } = incoming;
      const sent = request({ hostname, port, method, path: url, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode, { ...answer.headers, "x-replica": `${at + 1}` });
        answer.pipe(outgoing);
        answer.on("error", () => outgoing.destroy());
      });
      sent.on("error", (error) => {
        if (error.code === "ECONNREFUSED" && tries > 1) return forward(body, tries - 1);
        if (outgoing.headersSent) outgoing.destroy();
        else outgoing.writeHead(502).end();
      });
      outgoing.on("close", () => sent.destroy());
      sent.end(body);
    }
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
