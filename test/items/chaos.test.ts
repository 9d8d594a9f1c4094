import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "../command-line.ts";
import { overHttp } from "../doors.ts";
import { sitDown } from "../people.ts";
import { wholeOr } from "../whole.ts";
import { openProcess, openWindow, type ProcessWindow, type Window } from "../window.ts";
import { call, good, itemProject, planned, recorded } from "./item-calls.ts";

/** Works on what is ready or open while it may, until the step is done. */
async function work(
  window: Pick<Window, "client">,
  session: string,
  turn: number,
  mayWork: () => boolean,
): Promise<void> {
  for (let calls = turn; ; calls++) {
    while (!mayWork()) await wait(20);
    const { items, phase_number } = await call(window, "get_phase_content", { session_id: session });
    if (phase_number === 3) return;
    const all = [...(items?.ready ?? []), ...(items?.open ?? [])];
    const item = all[calls % Math.max(1, all.length)];
    if (phase_number !== 2 || item === undefined) {
      await wait(20);
      continue;
    }
    const { error, session_id } = await call(window, "start_workflow", { session_id: session, item });
    if (error !== undefined) continue;
    const done = await call(window, "complete_phase", { session_id, phase: 1, evidence: good });
    expect([undefined, "conflict"]).toContain(done.error);
  }
}

const total = wholeOr(40, 16);
const kills = wholeOr(24, 4);

test.skipIf(overHttp("each life is a process"))(
  "four processes, kills, a list that is edited, and a parent that goes back: each item is done once in its round",
  async () => {
    const project = itemProject('{ file: "docs/tasks.md", after: depends_on, parallel: 6 }');
    const texts = Array.from({ length: total }, (_, at) => `Task ${at + 1}`);
    const circle = new Map<number, number>();
    const writeList = (): void => {
      const lines = texts.map((text, at) => {
        const id = (number: number): string => `T${String(number + 1).padStart(3, "0")}`;
        const waits = circle.get(at);
        return `- [ ] ${id(at)} ${at % 5 === 0 ? "" : "[P] "}${text}\n${waits === undefined ? "" : `  - _Depends: ${id(waits)}_\n`}`;
      });
      project.write("docs/tasks.md", lines.join(""));
    };
    writeList();
    const own = await openWindow(project.root);
    const { session, complete, read, open: start, finish } = await planned(own, ["p"]);
    /** How many items are settled in the current round. */
    const count = (): number => {
      const rounds = recorded(project, session).flatMap((event) => (event.type === "item_settled" ? event.round : []));
      return rounds.filter((round) => round === rounds.at(-1)).length;
    };
    let allowed = 0;
    let isOver = false;
    onTestFinished(() => {
      isOver = true;
    });
    const mayWork = (): boolean => isOver || count() < allowed;
    const settled = async (share: number): Promise<void> => {
      allowed = Math.ceil(total * share);
      while (mayWork()) await wait(20);
    };

    let left = kills;
    const alive = new Set<ProcessWindow>();
    const worker = async (number: number): Promise<void> => {
      for (let life = 0; ; life++) {
        const window = await openProcess(project.root);
        alive.add(window);
        const isDone = await work(window, session, number + life, mayWork).then(
          () => true,
          (error: Error) => {
            if (error.name === "AssertionError") throw error;
            return false;
          },
        );
        alive.delete(window);
        await window.close();
        if (isDone || isOver) return;
      }
    };
    const killer = async (): Promise<void> => {
      while (left > 0 && !isOver) {
        await wait(60 + ((left * 53) % 240));
        const chosen = [...alive][left % Math.max(1, alive.size)];
        if (chosen === undefined) continue;
        alive.delete(chosen);
        await chosen.kill();
        left -= 1;
      }
    };
    const workers = Promise.all([0, 1, 2, 3].map(worker));
    workers.catch(() => undefined); // thrown where they are awaited
    const killing = killer();

    await settled(0.2);
    texts.reverse(); // renumbered
    writeList();
    await settled(0.4);
    texts.splice(3, 0, "Added one", "Added two"); // grows
    writeList();
    await settled(0.55);
    const listing = async (): Promise<readonly { item: string; title: string; state: string }[]> =>
      JSON.parse((await runCli(["status", "--items", "--json", "--root", project.root])).stdout).sessions[0]
        .item_list[0].items;
    const waiting = (await listing()).filter(({ state }) => state === "waiting").slice(-2);
    for (const { title } of waiting) texts.splice(texts.indexOf(title), 1); // shrinks
    writeList();
    for (const { title } of waiting) {
      const gone = (await listing()).find((one) => one.title === title);
      const person = sitDown().runs(project, ["drop", session, gone?.item ?? "", "--reason", "Gone.", "--yes"]);
      await person.ends(); // unless it was done in the meantime
    }
    circle.set(texts.length - 1, texts.length - 2).set(texts.length - 2, texts.length - 1);
    writeList();
    await read();
    expect((await runCli(["status", "--root", project.root])).stdout).toContain("wait for each other");
    circle.clear();
    writeList();
    await settled(0.7);
    const startOne = async (): Promise<Awaited<ReturnType<typeof start>>> => {
      const { ready = [], open: begun = [] } = (await read()).items ?? {};
      const started = await start([...ready, ...begun][0] ?? "");
      return started.error === "conflict" ? startOne() : started; // a worker under way settled that one first
    };
    const late = await startOne();
    expect(late.error).toBeUndefined();
    const back = sitDown().runs(project, ["back", "1", "--session", session, "--yes"]);
    await back.ends();
    allowed = total * 2; // not before: they would finish the round, and see no other
    expect(await finish(late.session_id)).toMatchObject({ error: "conflict" });
    expect(await complete(1, { parts: ["again"] })).toMatchObject({ next_phase: 2 });
    expect(await finish(late.session_id)).toMatchObject({ error: "conflict" });
    await workers;
    isOver = true;
    await killing;

    // What the parent recorded, in order: which round is open, and which items have a place in it.
    let round = 0;
    const open = new Map<string, string>();
    const done = new Set<string>();
    for (const event of recorded(project, session)) {
      if (event.type === "items_taken") {
        if (event.round !== round) {
          open.clear();
          done.clear();
        }
        round = event.round;
        const moved = new Map(event.items.flatMap(({ id, was }) => (was === undefined ? [] : [[was, id] as const])));
        for (const [id, item] of open) open.set(id, moved.get(item) ?? item);
      }
      if (event.type === "item_opened") {
        expect(event.session.startsWith(`${session}/2.${round}/`), event.session).toBe(true);
        open.set(event.session, event.item);
        expect(open.size).toBeLessThanOrEqual(6);
      }
      if (event.type !== "item_settled") continue;
      expect([event.round, open.has(event.session), done.has(event.session)]).toEqual([round, true, false]);
      open.delete(event.session);
      done.add(event.session);
    }
    expect(round).toBe(2);
    expect([open.size, done.size]).toEqual([0, texts.length]);
    const states = await listing();
    expect(states.map(({ title }) => title).sort()).toEqual([...texts].sort());
    expect(new Set(states.map(({ state }) => state))).toEqual(new Set(["settled"]));

    await complete(3, { redo: [], findings: 0 });
    const { code, stdout } = await runCli(["verify", "--require", "each", "--root", project.root]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("was completed as defined")]);
  },
);
