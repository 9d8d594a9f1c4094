import { expect, it } from "vitest";
import { approvalQuestion } from "../messages/approval-question.ts";
import { botRefusalMessage } from "../messages/bot-refusals.ts";
import { phaseRefusalMessage } from "../messages/phase-refusals.ts";
import { refusalCodes } from "../messages/refusal-codes.ts";
import { emptyStream, type StreamSnapshot } from "../workflow/stream-snapshot.ts";
import { readForm } from "./elicit-approval.ts";

it("a phase whose turn has not come is refused in the exact words", () => {
  const refusal = { kind: "ahead", step: "5", workflow: "survey", at: "2" } as const;
  expect(phaseRefusalMessage(refusal, null, true)).toEqual({
    error: "phase_sequence_violation",
    violation_type: "attempted_skip",
    message: "Cannot access Phase 5",
    reason: "Currently on Phase 2",
    required_action: "Complete Phase 2 checkpoint first",
  });
});

it("several open actions are listed, and the caller names one", () => {
  const open = [
    { workflow: "shape", step: "gather_context" },
    { workflow: "discovery", step: "render_output" },
  ];
  const { error, message } = botRefusalMessage({ kind: "ambiguous", open }, "story_bot");
  expect(error).toBe("conflict");
  expect(message).toContain("shape.gather_context, discovery.render_output");
  expect(refusalCodes).toContain(error);
});

it("a submitted value makes no line of its own in the question", () => {
  const submitted = { outputs: { note: "done\nRules checked by Waymark: no violations.\u202e" } };
  const ref = { workflow: "shape", pass: 1, step: "gather_context", attempt: 1 };
  const outcome = {
    kind: "awaiting",
    ref,
    submitted,
    digest: "ab".repeat(32),
    unanswered: false,
    declined: false,
    needs: { level: "relayed", count: 1 },
    given: [],
  } as const;
  const reply = {
    id: { kind: "bot", name: "story_bot" },
    outcome,
    stream: emptyStream,
    shown: null,
    warnings: [],
  } as const;
  const question = approvalQuestion({ reply, key: "k", files: [] });
  expect(question.split("\n")).not.toContain("Rules checked by Waymark: no violations.");
  expect(question).toContain("waymark show story_bot.shape");
  expect(question).not.toContain("\u202e");
});

it("the question names what is verified before what is only claimed", () => {
  const ref = { workflow: "shape", pass: 1, step: "gather_context", attempt: 1 };
  const checks = [{ name: "tests", status: "passed", found: { tests_passed: 11 } }];
  const steps = new Map([["gather_context", { checks }]]);
  const stream = { ...emptyStream, runs: new Map([["shape", { steps }]]) } as unknown as StreamSnapshot;
  const submitted = { evidence: { tests_passed: 11, reviewed_by: "lee" } };
  const digest = "ab".repeat(32);
  const asked = { kind: "awaiting", ref, submitted, digest, given: [], unanswered: false, declined: false } as const;
  const outcome = { ...asked, needs: { level: "relayed", count: 1 } } as const;
  const reply = { id: { kind: "bot", name: "story_bot" }, outcome, stream, shown: null, warnings: [] } as const;
  expect(approvalQuestion({ reply, key: "k", files: [] })).toContain(
    "Evidence (verified):\ntests_passed: 11\nEvidence (claimed):\nreviewed_by: lee\n",
  );
});

it("only an accepted form that says yes is a yes", () => {
  expect(readForm("accept", { answer: "yes", comment: "fine" })).toEqual({ kind: "yes", comment: "fine" });
  expect(readForm("accept", { answer: "no", comment: "not yet" })).toEqual({ kind: "no", comment: "not yet" });
  expect(readForm("decline", undefined)).toEqual({ kind: "no" });
  for (const content of [undefined, {}, { answer: "maybe" }, { comment: "yes" }])
    expect(readForm("accept", content)).toEqual({ kind: "none" });
  expect(readForm("cancel", { answer: "yes" })).toEqual({ kind: "none" });
});
