import { describe, expect, onTestFinished, test } from "vitest";
import { startReplica } from "../../scripts/team/replica.mjs";
import { runCli } from "../command-line.ts";
import { overHttp } from "../doors.ts";
import { freshProject, postgresUrl } from "../postgres.ts";
import { openInTurn } from "../team/server.ts";
import { wholeOr } from "../whole.ts";
import { eras, openWindow } from "../window.ts";
import { call } from "./item-calls.ts";
import { isWalked, playerOf, processes, processProject, walkAlone, walkTogether } from "./processes.ts";

describe("twelve processes that repeat something for each item, walked whole", () => {
  test("are twelve", () => expect(processes).toHaveLength(12));

  test.each(processes)("$title", async (process) => {
    const { root } = processProject(process);
    const { stdout } = await runCli(["check", "--compact", "--root", root]);
    expect(stdout.split("\n").filter((line) => line.includes(" error: "))).toEqual([]);
    const window = await openWindow(root);
    const { session_id } = await call(window, "start_workflow", { workflow_type: "w" });
    const player = playerOf(process);
    await walkAlone(window, player, session_id);
    expect(await call(window, "get_workflow_state", { session_id })).toMatchObject({ workflow_complete: true });
    await isWalked(process, player, root);
  });
});

const overThree = processes.filter(({ title }) => /a product|a panel|story cycle/.test(title));

describe.runIf(wholeOr(!overHttp("it starts servers of its own"), false))("over HTTP with three replicas", () => {
  test.each(overThree)("three assistants walk the items of one process at once: $title", async (process) => {
    const { root } = processProject(process);
    const stored = ["--store", await postgresUrl(), "--project", freshProject()];
    const replicas = await Promise.all([1, 2, 3].map(() => startReplica(root, globalThis.process.env, stored)));
    onTestFinished(() => void Promise.all(replicas.map((replica) => replica.stop())));
    const urls = replicas.map((replica) => replica.url());
    const inEras = [...eras, "2026"] as const;
    const windows = await Promise.all(inEras.map((era, at) => openInTurn(urls, { name: `assistant ${at}`, era })));
    const { session_id } = await call(windows[0] ?? { client: {} as never }, "start_workflow", { workflow_type: "w" });
    const player = playerOf(process);
    await walkTogether(windows, player, session_id);
    await isWalked(process, player, root, stored);
  });
});
