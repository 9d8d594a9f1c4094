import type { DeskId } from "../engine/ports.ts";

/** One rule of a contract; `run` rejects where a store breaks it. Works with any test runner. */
export type ContractRule<Opened> = {
  readonly title: string;
  run(open: () => Promise<Opened>): Promise<void>;
};

/** What every opened thing can do at the end. */
export type Disposable = { dispose(): Promise<void> | void };

/** Names a rule and says how to check it on a desk. */
export type DeskCheck<Opened> = readonly [title: string, check: (opened: Opened, id: DeskId) => Promise<void>];

/** Makes rules of checks, each to be kept for every kind of desk. */
export function forEveryDesk<Opened extends Disposable>(
  checks: readonly DeskCheck<Opened>[],
): readonly ContractRule<Opened>[] {
  return desks.flatMap((id) =>
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

const desks: readonly DeskId[] = [
  { kind: "bot", name: "story_bot" },
  { kind: "bot", name: "story_bot", run: "feature/login" },
  { kind: "session", name: "discovery-1" },
];
