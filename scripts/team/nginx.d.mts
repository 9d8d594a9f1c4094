/** The nginx of this machine, installed where that may be done. */
export function findNginx(): string | undefined;
export function freePort(): Promise<number>;
/** Starts nginx on a port in front of servers, with `deploy/nginx.conf`. */
export function startNginx(
  nginx: string,
  port: number,
  urls: readonly string[],
): Promise<{ readonly origin: string; errors(): string; stop(): Promise<void> }>;
