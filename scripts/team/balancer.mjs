import { createServer, request } from "node:http";

/** A plain round robin in front of replicas, as an operator has it: a request whose replica is gone gets 502. */
export async function startBalancer(urls) {
  let turn = 0;
  const server = createServer((asked, answer) => {
    const { hostname, port } = new URL(urls()[turn++ % urls().length]);
    const far = request({ hostname, port, path: asked.url, method: asked.method, headers: asked.headers }, (told) => {
      answer.writeHead(told.statusCode, told.headers);
      told.pipe(answer);
      told.on("error", () => answer.destroy());
    });
    far.on("error", () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
    answer.on("close", () => far.destroy());
    asked.pipe(far);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
