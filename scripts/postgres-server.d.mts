/** A PostgreSQL of our own. */
export type PostgresServer = {
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  readonly pid: number | undefined;
  start(): Promise<void>;
  stop(signal?: "SIGINT" | "SIGQUIT" | "SIGKILL"): Promise<void>;
  restart(signal?: "SIGINT" | "SIGQUIT" | "SIGKILL", more?: Readonly<Record<string, string | number>>): Promise<void>;
  standby(settings?: Readonly<Record<string, string | number>>): Promise<PostgresServer & { promote(): Promise<void> }>;
  dispose(): Promise<void>;
};

export function startPostgres(options?: {
  readonly settings?: Readonly<Record<string, string | number>>;
  readonly folder?: string;
  readonly isLeft?: boolean;
}): Promise<PostgresServer>;
