import { expect, test } from "vitest";
import { startBoard } from "../board.ts";
import { openWindow } from "../window.ts";
import { call, itemProject, planned } from "./item-calls.ts";

test("the board shows parents in its list, a strip for each item on their map, and blocked items in the inbox", async () => {
  const project = itemProject("{ in: plan.parts, parallel: 3 }");
  const window = await openWindow(project.root);
  const { session, open, settle } = await planned(window, ["a", "b", "c"]);
  await settle("a");
  const { session_id } = await open("b");
  await call(window, "complete_phase", { session_id, phase: 1, blocked: "The file is gone." });
  const board = await startBoard(project.root);
  const { data: list } = await board.ask("/api/runs");
  expect(list.runs.map(({ key }: { key: string }) => key)).toEqual([`session:${session}`]);
  const { data: run } = await board.ask(`/api/runs/${encodeURIComponent(`session:${session}`)}`);
  const item = `session:${encodeURIComponent(`${session}/2.1/b`)}`;
  expect(run.workflows[0].steps[1].items).toMatchObject({
    total: 3,
    shown: [
      { item: "a", state: "settled", signs: "d" },
      { item: "b", state: "open", signs: "w", key: item },
      { item: "c", state: "waiting", signs: "." },
    ],
  });
  const { data: inbox } = await board.ask("/api/inbox");
  expect(inbox.items).toMatchObject([{ key: item, title: "b", blocked: true, summary: "The file is gone." }]);
  const { data: own } = await board.ask(`/api/runs/${encodeURIComponent(item)}`);
  expect(own.row).toMatchObject({ itemOf: `session:${session}`, title: "b" });
});
