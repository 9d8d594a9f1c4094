import { deepStrictEqual, ok } from "node:assert";
import type { DeskId, EventLog, Views } from "../engine/ports.ts";
import { append } from "./asking.ts";
import { begunExample, completedExample, startedExample } from "./example-events.ts";
import type { FaultHooks } from "./fault-rules.ts";
import { type ContractRule, type DeskCheck, type Disposable, forEveryDesk } from "./rule.ts";

/** A fresh place for histories and what shows them: `window` opens another one on it each time. */
export type OpenedViews = FaultHooks & Disposable & { window(): { readonly log: EventLog; readonly views: Views } };

/** The rules of views. */
export function viewsContract(): readonly ContractRule<OpenedViews>[] {
  return forEveryDesk(rules);
}

/** Begins a desk: a session with what it is about, anything else with a step. */
function beginning({ kind }: DeskId) {
  return kind === "session" ? begunExample() : [startedExample(1)];
}

const rules: readonly DeskCheck<OpenedViews>[] = [
  [
    "where nothing is on record there is nothing to put right, and nothing to doubt",
    async ({ window }, id) => {
      const { views } = window();
      const { found, warnings } = await views.look(id);
      deepStrictEqual([found.kind, warnings], ["current", []]);
      deepStrictEqual(
        (await views.audit(id)).filter(({ verdict }) => verdict !== "current"),
        [],
      );
    },
  ],
  [
    "what is published is current for every window, and proved so",
    async ({ window }, id) => {
      const { log, views } = window();
      for (const [seen, events] of [beginning(id), [completedExample(1)], [startedExample(2)]].entries()) {
        await append(log, id, seen, events, seen % 2 === 0 ? "refuse" : "hold");
        deepStrictEqual(await views.publish(id), []);
        for (const one of [views, window().views]) {
          const { found, warnings } = await one.look(id);
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
    "what was recorded and not yet published is behind, and no edit; repair shows it",
    async (opened, id) => {
      const { log, views } = opened.window();
      await append(log, id, 0, beginning(id), "refuse");
      await views.publish(id);
      await append(log, id, 1, [startedExample(2)], "refuse");
      await opened.crash?.();
      const later = opened.window();
      await later.log.look(id);
      const { found } = await later.views.look(id);
      ok(found.kind === "behind" || found.kind === "current", found.kind);
      deepStrictEqual(await later.views.repair(id, { keepAside: false }), []);
      deepStrictEqual((await opened.window().views.look(id)).found, { kind: "current" });
    },
  ],
  [
    "what is shown is the same for every window, published or not",
    async ({ window }, id) => {
      const { log, views } = window();
      await append(log, id, 0, beginning(id));
      const shown = await views.shown(id);
      ok(Object.keys(shown).length > 0);
      await views.publish(id);
      for (const one of [views, window().views]) deepStrictEqual(await one.shown(id), shown);
    },
  ],
  [
    "a bot is shown by its position, its completed actions and two log entries an execution; a session by its phases",
    async ({ window }, id) => {
      const { log, views } = window();
      await append(log, id, 0, beginning(id));
      await append(log, id, 1, [{ ...completedExample(1), ...(id.kind === "session" ? { step: "1" } : {}) }]);
      await views.publish(id);
      const shown = await window().views.shown(id);
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
