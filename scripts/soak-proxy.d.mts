/** What a soak behind a proxy found. */
export type ProxyFigures = Readonly<
  Record<
    | "acknowledged"
    | "lost"
    | "doubled"
    | "misplaced"
    | "problems"
    | "again"
    | "pages"
    | "restarted"
    | "paused"
    | "seconds",
    number
  >
> & { readonly unexpected: readonly string[] };

export function soakBehindProxy(how: {
  readonly nginx: string;
  readonly clients: number;
  readonly rounds: number;
  readonly between: number;
  readonly say?: (line: string) => void;
}): Promise<ProxyFigures>;
