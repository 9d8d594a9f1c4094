import { createServer, connect as dial, type Socket } from "node:net";

/** A way to a server that can be cut. */
export type Cuttable = {
  readonly url: string;
  /** Ends every connection, and takes no other. */
  cut(): void;
  /** Hands on what is sent and nothing that is answered: what was asked for happens, and whoever asked does not hear of it. */
  muffle(): void;
  mend(): void;
  close(): void;
};

/** Puts a way that can be cut before the server of an address. */
export async function cuttable(url: string): Promise<Cuttable> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let isCut = false;
  let isMuffled = false;
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const gate = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = dial(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        near.destroy();
        far.destroy();
      });
    }
    near.on("data", (chunk) => far.write(chunk));
    far.on("data", (chunk) => {
      if (!isMuffled) near.write(chunk);
    });
  });
  await new Promise<void>((resolve) => gate.listen(0, "127.0.0.1", resolve));
  gate.unref();
  const address = gate.address();
  const own = new URL(url);
  own.port = typeof address === "object" ? `${address?.port}` : "";
  return {
    url: own.href,
    cut() {
      isCut = true;
      endAll();
    },
    muffle() {
      isMuffled = true;
    },
    mend() {
      isCut = false;
      if (isMuffled) endAll();
      isMuffled = false;
    },
    close() {
      endAll();
      gate.close();
    },
  };
}
