import type { StreamId } from "../workflow/stream-id.ts";

/** One rule of a contract; `run` rejects if a store breaks it. Works with any test runner. */
export type ContractRule<Opened> = {
  readonly title: string;
  run(open: () => Promise<Opened>): Promise<void>;
};

/** The cleanup of an opened store. */
export type Disposable = { dispose(): Promise<void> | void };

/** The title of a rule, and its check on a stream. */
export type StreamCheck<Opened> = readonly [title: string, check: (opened: Opened, id: StreamId) => Promise<void>];

/** Turns checks into rules, one for each kind of stream. */
export function forEveryStream<Opened extends Disposable>(
  checks: readonly StreamCheck<Opened>[],
): readonly ContractRule<Opened>[] {
  return exampleStreams.flatMap((id) =>
    checks.map(([title, check]) => ({
      title: `${id.run === undefined ? id.kind : "run"}: ${title}`,
      async run(open) {
        const opened = await open();
        try {
          await check(opened, id);
        } finally {
          await opened.dispose();
        }
      },
    })),
  );
}

const exampleStreams: readonly StreamId[] = [
  { kind: "bot", name: "story_bot" },
  { kind: "bot", name: "story_bot", run: "feature/login" },
  { kind: "session", name: "discovery-1" },
];
