import { deepStrictEqual, ok } from "node:assert";
import type { EventLog } from "../engine/ports/event-log.ts";
import type { Views } from "../engine/ports/views.ts";
import type { StreamId } from "../workflow/stream-id.ts";
import { append } from "./append-events.ts";
import { type ContractRule, type Disposable, forEveryStream, type StreamCheck } from "./contract-rule.ts";
import { begunExample, completedExample, startedExample } from "./example-events.ts";
import type { FaultHooks } from "./fault-hooks.ts";

/** A fresh store with its views: `window` opens another one on it each time. */
export type OpenedViews = FaultHooks & Disposable & { window(): { readonly log: EventLog; readonly views: Views } };

/** The rules that every store of views must keep. */
export function viewsContract(): readonly ContractRule<OpenedViews>[] {
  return forEveryStream(rules);
}

/** The first events of a stream: a session's start, or a step. */
function beginning({ kind }: StreamId) {
  return kind === "session" ? begunExample() : [startedExample(1)];
}

const rules: readonly StreamCheck<OpenedViews>[] = [
  [
    "without records there is nothing to repair and nothing to doubt",
    async ({ window }, id) => {
      const { views } = window();
      const { found, warnings } = await views.compare(id);
      deepStrictEqual([found.kind, warnings], ["current", []]);
      deepStrictEqual(
        (await views.audit(id)).filter(({ verdict }) => verdict !== "current"),
        [],
      );
    },
  ],
  [
    "published views are current for every window, and verified as such",
    async ({ window }, id) => {
      const { log, views } = window();
      for (const [seen, events] of [beginning(id), [completedExample(1)], [startedExample(2)]].entries()) {
        await append(log, id, seen, events, seen % 2 === 0 ? "refuse" : "hold");
        deepStrictEqual(await views.publish(id), []);
        for (const one of [views, window().views]) {
          const { found, warnings } = await one.compare(id);
          deepStrictEqual([found.kind, warnings], ["current", []]);
          const audited = await one.audit(id);
          deepStrictEqual(
            audited.filter(({ verdict }) => verdict !== "current"),
            [],
          );
        }
      }
    },
  ],
  [
    "recorded but unpublished events leave a view behind, not edited, and repair publishes them",
    async (opened, id) => {
      const { log, views } = opened.window();
      await append(log, id, 0, beginning(id), "refuse");
      await views.publish(id);
      await append(log, id, 1, [startedExample(2)], "refuse");
      await opened.crash?.();
      const later = opened.window();
      await later.log.load(id);
      const { found } = await later.views.compare(id);
      ok(found.kind === "behind" || found.kind === "current", found.kind);
      deepStrictEqual(await later.views.repair(id, { keepAside: false }), []);
      deepStrictEqual((await opened.window().views.compare(id)).found, { kind: "current" });
    },
  ],
  [
    "every window shows the same, published or not",
    async ({ window }, id) => {
      const { log, views } = window();
      await append(log, id, 0, beginning(id));
      const shown = await views.contents(id);
      ok(Object.keys(shown).length > 0);
      await views.publish(id);
      for (const one of [views, window().views]) deepStrictEqual(await one.contents(id), shown);
    },
  ],
  [
    "a bot's view has its position, completed actions and two log entries per execution; a session's has its phases",
    async ({ window }, id) => {
      const { log, views } = window();
      await append(log, id, 0, beginning(id));
      await append(log, id, 1, [{ ...completedExample(1), ...(id.kind === "session" ? { step: "1" } : {}) }]);
      await views.publish(id);
      const shown = await window().views.contents(id);
      if (id.kind === "session") {
        const { session_id, workflow_type, completed_phases, total_phases } = shown;
        deepStrictEqual([session_id, workflow_type, completed_phases, total_phases], [id.name, "discovery", [1], 2]);
        return;
      }
      const action = `${id.name}.discovery.step_1`;
      const { state, log: entries } = JSON.parse(JSON.stringify(shown));
      deepStrictEqual([state.current_action, state.action_state], [action, "completed"]);
      deepStrictEqual(state.completed_actions, [
        { action_state: action, timestamp: completedExample(1).at, duration: 60 },
      ]);
      deepStrictEqual(
        entries.map((entry: { action: string; action_state: string }) => [entry.action, entry.action_state]),
        [
          [action, "started"],
          [action, "completed"],
        ],
      );
    },
  ],
];
