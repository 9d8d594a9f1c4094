import { describe, expect, test } from "vitest";
import { workplaceFor } from "../../src/cli/terminal/workplace-options.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { addWorkflow, callPhase, fieldOf } from "../phased.ts";
import { makeProject } from "../project.ts";
import { openHttp, startServer } from "../team/server.ts";
import { type Answer, type Era, newer, type Window } from "../window.ts";

const yes = { confirmation: "yes, done" };
const named = (one: Answer): string => {
  if (one.attempt === undefined) throw new Error(`No attempt: ${one.text}`);
  return one.attempt;
};

/** One assistant at two servers of one project: what it sends to the second may arrive late. */
async function assistant(era: Era) {
  const project = makeProject();
  addWorkflow(project, { type: "survey", phases: 3 });
  const [one, two] = [await startServer(project.root), await startServer(project.root)];
  // the same caller in both eras: without a token there is one principal, and a session stays at its server
  const window = await one.open({ era });
  const other = era === "2026" ? await openHttp(two.url, { era }) : window;
  /** What a person does in a process of their own. */
  const asPerson = async (session: string | undefined, deed: (engine: Engine) => Promise<unknown>): Promise<void> => {
    const workplace = workplaceFor({ root: project.root });
    const engine = session === undefined ? workplace.engine("story_bot") : workplace.sessions.find(session);
    const found = await engine;
    if (found !== undefined) await deed(found);
    await workplace.settle();
    workplace.close();
  };
  return {
    project,
    window,
    late: other,
    backTo: (session: string | undefined, step: string) =>
      asPerson(session, (engine) => engine.back({ id: "person" }, { step })),
    update: (session: string) =>
      asPerson(session, async (engine) => {
        const shown = await engine.update({ id: "person" });
        if (shown.kind !== "updated") throw new Error(JSON.stringify(shown));
        await engine.update({ id: "person" }, shown.definition);
      }),
    approve: () =>
      asPerson(undefined, async (engine) => {
        const [{ ref, waits } = {}] = await engine.submissions();
        if (ref === undefined || waits === undefined) throw new Error("Nothing is waiting.");
        await engine.answer({ id: "person" }, { ref, digest: waits.digest, decision: "approve" });
      }),
  };
}

const start = (window: Window) => callPhase(window, "start_workflow", { workflow_type: "survey" });
const complete = (window: Window, given: Record<string, unknown>) => callPhase(window, "complete_phase", given);

const completed = ({ project }: { project: ReturnType<typeof makeProject> }): string[] =>
  project.state().completed_actions.map(({ action_state }) => action_state.replace("story_bot.", ""));

describe.each(newer)("a call that arrives late, over HTTP (%s protocol)", (era) => {
  // Attack (tools): Send a call twice, late, on another connection or to another server, after the next step, a retry, going back or another run was opened
  // -> Refused: `conflict`, which names the open step and its attempt. With its `attempt` it gets its reply again
  test("it never completes the next action with the same words, and learns what is open", async () => {
    const here = await assistant(era);
    await here.window.call("shape_bot");
    expect((await here.window.call("complete_action", yes)).status).toBe("completed");
    const next = await here.window.call("shape_bot");
    const answer = await here.late.call("complete_action", yes);
    expect(answer).toMatchObject({ error: "conflict", isError: true, attempt: named(next) });
    expect(answer.message).toContain(named(next));
    expect(answer.message).toContain("decide_planning_criteria");
    expect(completed(here)).toEqual(["shape.gather_context"]);
    // the assistant means it: it names the attempt, or the step that was opened once
    expect((await here.window.call("complete_action", { ...yes, attempt: named(next) })).status).toBe("completed");
    await here.window.call("shape_bot");
    expect((await here.window.call("complete_action", { ...yes, action: "build_knowledge" })).status).toBe("completed");
  });

  test("with empty arguments, of an action that continues by itself", async () => {
    const here = await assistant(era);
    for (const _ of ["gather_context", "decide_planning_criteria"]) await here.window.pass("shape_bot");
    await here.window.call("shape_bot");
    expect((await here.window.call("complete_action", {})).action).toBe("build_knowledge");
    await here.window.call("shape_bot");
    expect(await here.late.call("complete_action", {})).toMatchObject({ error: "conflict" });
    expect(completed(here)).toHaveLength(3);
  });

  test("it gets the same reply as long as nothing was opened since, and with its attempt at any time", async () => {
    const here = await assistant(era);
    const attempt = named(await here.window.call("shape_bot"));
    const first = await here.window.call("complete_action", { ...yes, attempt });
    expect(await here.late.call("complete_action", yes)).toMatchObject({ status: "completed", next: first.next });
    await here.window.pass("shape_bot");
    await here.window.call("shape_bot");
    const again = await here.late.call("complete_action", { ...yes, attempt });
    expect(again).toMatchObject({ status: "completed", action: "gather_context", next: first.next });
    const other = await here.late.call("complete_action", { confirmation: "yes indeed", attempt });
    expect(other).toMatchObject({ error: "conflict" });
    expect(completed(here)).toHaveLength(2);
  });

  test("after retry it belongs to the earlier attempt, by its arguments or by its attempt", async () => {
    const here = await assistant(era);
    const attempt = named(await here.window.call("shape_bot"));
    await here.window.call("complete_action", yes);
    const retried = await here.window.call("shape_bot", { action: "gather_context", resume: "retry" });
    expect(named(retried)).not.toBe(attempt);
    expect(await here.late.call("complete_action", yes)).toMatchObject({ error: "conflict", attempt: named(retried) });
    const alsoNamed = await here.late.call("complete_action", { ...yes, behavior: "shape", action: "gather_context" });
    expect(alsoNamed).toMatchObject({ error: "conflict", attempt: named(retried) });
    expect(await here.late.call("complete_action", { ...yes, attempt })).toMatchObject({ status: "completed" });
    expect((await here.window.call("shape_bot")).status).toBe("started"); // still open
    expect(completed(here)).toHaveLength(1);
  });

  test("an attempt that was given up before it was completed stays given up", async () => {
    const here = await assistant(era);
    const attempt = named(await here.window.call("shape_bot"));
    const retried = await here.window.call("shape_bot", { resume: "retry" });
    expect(await here.late.call("complete_action", { ...yes, attempt })).toMatchObject({ error: "conflict" });
    expect((await here.window.call("complete_action", { ...yes, attempt: named(retried) })).status).toBe("completed");
  });

  test("reading again and continue keep the attempt, a new pass renews it", async () => {
    const here = await assistant(era);
    const attempt = named(await here.window.call("shape_bot"));
    expect(named(await here.window.call("shape_bot"))).toBe(attempt);
    expect(named(await here.window.call("shape_bot", { resume: "continue" }))).toBe(attempt);
    await here.window.call("complete_action", yes);
    const anew = await here.window.call("shape_bot", { resume: "restart" });
    expect(named(anew)).not.toBe(attempt);
    const answer = await here.late.call("complete_action", { ...yes, action: "gather_context" });
    expect(answer).toMatchObject({ error: "conflict", attempt: named(anew) });
  });

  test("in another behavior an action of the same name is not completed by it", async () => {
    const here = await assistant(era);
    await here.window.call("shape_bot");
    await here.window.call("complete_action", { ...yes, action: "gather_context" });
    const other = await here.window.call("discovery_bot");
    const answer = await here.late.call("complete_action", { ...yes, action: "gather_context" });
    expect(answer).toMatchObject({ error: "conflict", attempt: named(other) });
    expect(completed(here)).toEqual(["shape.gather_context"]);
  });

  test("a named run is not completed by the default run's call, nor by another run's attempt", async () => {
    const here = await assistant(era);
    const attempt = named(await here.window.call("shape_bot"));
    await here.window.call("complete_action", yes);
    const other = await here.window.call("shape_bot", { run: "second" });
    expect(await here.late.call("complete_action", yes)).toMatchObject({ error: "conflict" });
    const wrong = await here.late.call("complete_action", { ...yes, run: "second", attempt });
    expect(wrong).toMatchObject({ error: "conflict", attempt: named(other) });
    const right = await here.window.call("complete_action", { ...yes, run: "second", attempt: named(other) });
    expect(right).toMatchObject({ status: "completed", run: "second" });
  });

  test("an attempt that nobody was given is not open", async () => {
    const here = await assistant(era);
    const { attempt } = await here.window.call("shape_bot");
    const answer = await here.late.call("complete_action", { ...yes, attempt: "a000000" });
    expect(answer).toMatchObject({ error: "conflict", attempt });
    const elsewhere = await here.late.call("complete_action", { ...yes, attempt, action: "render_output" });
    expect(elsewhere).toMatchObject({ error: "conflict" });
    expect(completed(here)).toHaveLength(0);
  });

  test("an independent action opened twice is not completed by the first one's call", async () => {
    const here = await assistant(era);
    const done = { action: "correct_bot", outputs: { note: "same" } };
    const first = await here.window.call("story_bot", { action: "correct_bot" });
    await here.window.call("complete_action", done);
    const second = await here.window.call("story_bot", { action: "correct_bot" });
    expect(named(second)).not.toBe(named(first));
    expect(await here.late.call("complete_action", done)).toMatchObject({ error: "conflict" });
    const same = await here.late.call("complete_action", { ...done, attempt: named(first) });
    expect(same).toMatchObject({ status: "completed", action: "correct_bot" });
    const open = await here.window.call("complete_action", { ...done, attempt: named(second) });
    expect(open).toMatchObject({ status: "completed" });
    expect(here.project.log().filter(({ action_state }) => action_state === "completed")).toHaveLength(2);
  });

  test("an action that a person went back to is open for nobody's earlier call", async () => {
    const here = await assistant(era);
    const attempt = named(await here.window.call("shape_bot"));
    await here.window.call("complete_action", { ...yes, attempt });
    await here.backTo(undefined, "gather_context");
    expect(await here.late.call("complete_action", yes)).toMatchObject({ error: "conflict" });
    expect(await here.late.call("complete_action", { ...yes, attempt })).toMatchObject({ status: "completed" });
    const open = await here.window.call("shape_bot");
    expect(open).toMatchObject({ status: "started", action: "gather_context" });
    expect(await here.late.call("complete_action", yes)).toMatchObject({ error: "conflict", attempt: named(open) });
  });

  test("what a person approved elsewhere is not submitted to the next action", async () => {
    const here = await assistant(era);
    const outputs = { users: "clerks" };
    await here.window.call("shape_bot");
    expect((await here.window.call("complete_action", { outputs })).status).toBe("awaiting_human");
    await here.approve();
    const next = await here.window.call("shape_bot");
    expect(next.action).toBe("decide_planning_criteria");
    const answer = await here.late.call("complete_action", { outputs, ...yes });
    expect(answer).toMatchObject({ error: "conflict", attempt: named(next) });
    expect(completed(here)).toEqual(["shape.gather_context"]);
  });

  test("a session that was moved to another definition has a new attempt", async () => {
    const here = await assistant(era);
    const { session_id, attempt } = await start(here.window);
    addWorkflow(here.project, { type: "survey", phases: 3, approval: [1] });
    await here.update(session_id);
    const { attempt: now } = await callPhase(here.window, "get_phase_content", { session_id });
    expect(now).not.toBe(attempt);
    const submitted = { session_id, phase: 1, evidence: { [fieldOf(1)]: 3 }, ...yes };
    expect(await complete(here.late, { ...submitted, attempt })).toMatchObject({ error: "conflict", attempt: now });
    expect(await complete(here.window, { ...submitted, attempt: now })).toMatchObject({ checkpoint_passed: true });
  });

  test("a phase that was gone back to is not passed by the earlier call; its next phase is not repeated", async () => {
    const here = await assistant(era);
    const { session_id, attempt } = await start(here.window);
    const submitted = { session_id, phase: 1, evidence: { [fieldOf(1)]: 3 } };
    const first = await complete(here.window, { ...submitted, attempt });
    expect(first).toMatchObject({ checkpoint_passed: true, next_phase: 2, attempt: expect.stringMatching(/^a\d{6}$/) });
    // the phase was opened once, so naming it is enough
    expect(await complete(here.late, submitted)).toMatchObject({ checkpoint_passed: true, phase_completed: 1 });
    const second = await complete(here.window, { session_id, phase: 2, evidence: { [fieldOf(2)]: 3 } });
    expect(second).toMatchObject({ checkpoint_passed: true, next_phase: 3 });
    await here.backTo(session_id, "1");
    const answer = await complete(here.late, submitted);
    const { attempt: now } = await callPhase(here.window, "get_phase_content", { session_id });
    expect(answer).toMatchObject({ error: "conflict", attempt: now });
    expect(await complete(here.late, { ...submitted, attempt })).toMatchObject({ phase_completed: 1, next_phase: 1 });
    const { completed_phases } = await callPhase(here.window, "get_workflow_state", { session_id });
    expect(completed_phases).toEqual([]);
    expect(await complete(here.window, { ...submitted, attempt: now })).toMatchObject({ phase_completed: 1 });
  });
});
