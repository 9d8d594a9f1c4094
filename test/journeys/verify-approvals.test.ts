import { expect, test } from "vitest";
import { openWorkplace } from "../../src/app/open-workplace.ts";
import { auditApprovals, type KnownApprovers } from "../../src/audit/audit-approvals.ts";
import type { Event } from "../../src/workflow/events.ts";
import { runCli } from "../command-line.ts";
import { forge } from "../forge.ts";
import { enrolled, type Signer, signer, streamOf } from "../people.ts";
import { makeProject, type Project } from "../project.ts";
import { gateFile } from "../proving.ts";
import { openWindow } from "../window.ts";

/** A project whose first action dana has approved with her key. */
async function approvedProject(dana: Signer, gate = "approval: { level: proven, by: [dana] }\n"): Promise<Project> {
  const project = makeProject();
  project.write("plan.md", "# Plan\n");
  project.write(gateFile, gate);
  await enrolled(project, dana);
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  const waiting = await window.call("complete_action", { outputs: { answers: "a" }, confirmation: "dana agrees" });
  expect(waiting).toMatchObject({ status: "awaiting_human" });
  expect(JSON.stringify(waiting)).toContain("waymark approve story_bot.shape");
  const { answers, waiting: look } = await streamOf(project);
  const { about } = await look();
  expect(await answers(dana.signs({ ...about, decision: "approve", comment: "well done" }))).toBe("completed");
  const again = await window.call("complete_action", { outputs: { answers: "a" } });
  expect(again).toMatchObject({ status: "completed", action: "gather_context" });
  await window.close();
  return project;
}

/** The history of the project's bot. */
async function eventsIn({ root }: Project): Promise<{ readonly events: Event[]; readonly project: string }> {
  const workplace = openWorkplace({ root });
  const [store] = await workplace.logs();
  const events: Event[] = [];
  let project = "";
  for await (const record of store?.log.records({ kind: "bot", name: "story_bot" }) ?? []) {
    if (project === "") project = record.hash;
    events.push(...record.events);
  }
  workplace.close();
  return { events, project };
}

test("verify proves each approval offline, and says by whom, with which key, over what", async () => {
  const dana = signer("dana");
  const project = await approvedProject(dana);
  const said = await runCli(["verify", "--root", project.root]);
  expect(said).toMatchObject({ code: 0 });
  expect(said.stdout).toContain(`gather_context, attempt 1: approved by dana (key ${dana.key.slice(0, 16)})`);
  const { desks: streams } = JSON.parse((await runCli(["verify", "--json", "--root", project.root])).stdout);
  expect(streams[0].approvals).toMatchObject([
    { step: "gather_context", decision: "approve", name: "dana", key: dana.key, comment: "well done" },
  ]);
  const held = await runCli(["verify", "--require", "story_bot.shape", "--root", project.root]);
  expect(held.stdout).toContain("approved by dana with the key");
});

test("an approver whom the given file does not name proves nothing: exit 1", async () => {
  const project = await approvedProject(signer("dana"));
  project.write("others.json", { approvers: [] });
  const said = await runCli(["verify", "--approvers", project.path("others.json"), "--root", project.root]);
  expect(said).toMatchObject({ code: 1, stdout: expect.stringContaining("its key belongs to no approver") });
  const gone = await runCli(["verify", "--approvers", project.path("nowhere.json"), "--root", project.root]);
  expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining("it does not exist") });
});

test("a word below what the gate asks for now is not what is required", async () => {
  const project = makeProject();
  project.write(gateFile, "approval: required\n");
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  await window.call("complete_action", { outputs: { answers: "a" }, confirmation: "yes" });
  await window.close();
  project.write(".waymark/config.json", { approvals: { level: "proven" } });
  const said = await runCli(["verify", "--require", "story_bot.shape", "--root", project.root]);
  expect(said).toMatchObject({ code: 1, stdout: expect.stringContaining("its approval is relayed") });
});

test("what is changed of an approval on record, or of what it was given to, shows, whatever the chain says", async () => {
  const dana = signer("dana");
  const lee = signer("lee");
  const project = await approvedProject(dana);
  const { events, project: first } = await eventsIn(project);
  const stated = { name: "story_bot", first };
  const known: KnownApprovers = [dana, lee];
  const problems = (changed: readonly Event[], approvers = known, about = stated): string =>
    auditApprovals(changed, about, approvers).problems.join("\n");
  const change = (type: Event["type"], edit: (event: Event) => object): readonly Event[] =>
    events.map((event) => (event.type === type ? ({ ...event, ...edit(event) } as Event) : event));
  expect(problems(events)).toBe("");
  const person = { name: "lee", key: lee.key };
  for (const [changed, said] of [
    [change("approved", () => ({ digest: "0".repeat(64) })), "it is about another submission"],
    [change("approved", () => ({ attempt: 2 })), "it is about another attempt"],
    [change("approved", () => ({ step: "build_knowledge" })), "it is about another step"],
    [change("approved", () => ({ person })), "its key belongs to dana"],
    [change("approved", () => ({ comment: "as you like" })), "it was signed for a different comment"],
    [change("approved", () => ({ signed: undefined })), "nothing proves it"],
    [change("approved", ({ at }) => ({ type: "met", at })), "no recorded approval proves that"],
    [change("completed", () => ({ outputs: { answers: "b" } })), "is not what was approved"],
    [change("completed", () => ({ digest: "0".repeat(64) })), "no recorded approval proves that"],
    [change("completed", () => ({ word: { level: "proven", by: [person] } })), "completed"],
    [change("completed", () => ({ word: { level: "proven" } })), "as proven, with no approver"],
    [change("completed", () => ({ at: "2999-01-01T00:00:00.000Z" })), "no recorded approval proves that"],
    [[...events, ...events.filter(({ type }) => type === "approved")], "it is recorded twice"],
  ] as const)
    expect(problems(changed)).toContain(said);
  expect(problems(events, known, { ...stated, first: "0".repeat(64) })).toContain("it is about another project");
  expect(problems(events, [lee])).toContain("its key belongs to no approver");
  const forged = { ...dana, public: lee.public };
  expect(problems(events, [forged])).toContain("its signature does not match");
});

const names = ["one", "two", "three", "four", "five", "six", "seven"];

/** A project whose first action dana has approved, with so many checks in its gate. */
function checkedProject(dana: Signer, count: number): Promise<Project> {
  const checks = names.slice(0, count).map((name) => `  - {name: ${name}, file: plan.md}\n`);
  return approvedProject(dana, `approval: { level: proven, by: [dana] }\nchecks:\n${checks.join("")}`);
}

/** A history as it was recorded when completions did not name their checks. */
function asOfOld(events: readonly Event[]): readonly Event[] {
  return events.map((event) => {
    if (event.type !== "completed") return event;
    const { checks: _, ...old } = event;
    return old;
  });
}

/** The same history, its checks ended in another order. */
function endedOtherwise(events: readonly Event[]): readonly Event[] {
  const ended = events.filter(({ type }) => type === "checked");
  return events.map((event) => (event.type === "checked" ? (ended.pop() ?? event) : event));
}

/** The same history, one of its checks of another definition. */
function checkedByOther(events: readonly Event[]): readonly Event[] {
  return events.map((event) =>
    event.type === "checked" && event.result.name === "two"
      ? { ...event, result: { ...event.result, definition: "another" } }
      : event,
  );
}

test("however many checks a gate has, what they came to is what was approved, in whatever order they ended", async () => {
  const dana = signer("dana");
  const { events, project } = await eventsIn(await checkedProject(dana, 7));
  const said = (changed: readonly Event[]) => auditApprovals(changed, { name: "story_bot", first: project }, [dana]);
  expect(events.find(({ type }) => type === "completed")).toMatchObject({ checks: names });
  expect(said(events)).toMatchObject({ problems: [], notes: [] });
  expect(said(endedOtherwise(events))).toMatchObject({ problems: [], notes: [] });
  expect(said(checkedByOther(events)).problems).toEqual([expect.stringContaining("is not what was approved")]);
});

test("where an old record does not say in which order its checks were shown, few are tried in any, and many are said not to be checked", async () => {
  const dana = signer("dana");
  const audits = async (count: number) => {
    const { events, project } = await eventsIn(await checkedProject(dana, count));
    const said = (changed: readonly Event[]) =>
      auditApprovals(asOfOld(changed), { name: "story_bot", first: project }, [dana]);
    return [events, endedOtherwise(events), checkedByOther(events)].map(said);
  };
  const isOther = [expect.stringContaining("is not what was approved")];
  expect(await audits(3)).toMatchObject([
    { problems: [], notes: [] },
    { problems: [], notes: [] },
    { problems: isOther, notes: [] },
  ]);
  const isOpen = [expect.stringContaining("could not check that the record is what was approved")];
  expect(await audits(7)).toMatchObject([
    { problems: [], notes: [] },
    { problems: [], notes: isOpen },
    { problems: [], notes: isOpen },
  ]);
});

test("verify says of a history of before what it could not check of it", async () => {
  const dana = signer("dana");
  const project = await checkedProject(dana, 7);
  let first: Event | undefined;
  forge(project, ".waymark/journal/story_bot.jsonl", (event) => {
    if (event.type === "checked" && event.result.name === "one") first = event;
    if (event === first) return [];
    const isLast = event.type === "checked" && event.result.name === "seven";
    return isLast && first !== undefined ? [event, first] : asOfOld([event]);
  });
  const { desks: streams } = JSON.parse((await runCli(["verify", "--json", "--root", project.root])).stdout);
  expect(streams[0].notes).toEqual([expect.stringContaining("it has 7 checks")]);
});

test("a check that was run before its gate lost it says nothing against what was approved without it", async () => {
  const dana = signer("dana");
  const { events, project } = await eventsIn(await approvedProject(dana));
  const started = events.findIndex(({ type }) => type === "started");
  const result = { name: "gone", status: "passed", definition: "d", reads: "", summary: "it passed" } as const;
  const { at, by } = events[started] ?? { at: "", by: "" };
  const ref = { workflow: "shape", pass: 1, step: "gather_context", attempt: 1 };
  const checked: Event = { type: "checked", at, by, ...ref, result };
  const said = auditApprovals(events.toSpliced(started + 1, 0, checked), { name: "story_bot", first: project }, [dana]);
  expect(said).toMatchObject({ problems: [], notes: [] });
});
