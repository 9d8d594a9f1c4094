import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { wholeOr } from "../whole.ts";
import { seatedHosts, turnstile } from "./answer-form.ts";
import type { Seen } from "./model-api.ts";
import { makeProject } from "./project.ts";
import { sitAtHost } from "./run-host.ts";

const SERVER = process.env.WAYMARK_HOST_TEST_SERVER ?? resolve("dist/waymark.js");

// Attack (tools): Turn a person's no into a yes: chosen, declined, or typed at the terminal of Claude Code or Codex
describe.each(wholeOr(seatedHosts, seatedHosts.slice(0, 1)))(
  "a person at a terminal with $name",
  ({ name, host, model, choose, typeAway }) => {
    test('a typed "no, not yet" completes nothing, a chosen no is the reason the assistant reads, a yes completes', async () => {
      const root = mkdtempSync(join(tmpdir(), "waymark-seated-"));
      onTestFinished(() => rmSync(root, { recursive: true, force: true }));
      await makeProject(root);
      const stands = (): unknown => JSON.parse(readFileSync(join(root, "workflow_state.json"), "utf8"));
      const saw: string[] = [];
      const goOn = turnstile();
      await sitAtHost(
        host,
        {
          root,
          model,
          mcpCommand: [process.execPath, SERVER, "serve", "--root", root],
          prompt: "Let us write user stories.",
          script: async function* (first: Seen) {
            for (const tool of ["story_bot", "complete_action"])
              if (!first.tools.join().includes(tool)) yield { search: tool };
            yield { call: "story_bot", with: {} };
            for (const answers of ["Nobody.", "One product manager.", "Two product managers."]) {
              // What is handed in differs each time: each is a question of its own.
              const seen = yield { call: "complete_action", with: { outputs: { answers } } };
              saw.push(seen.answers.at(-1) ?? "");
              await goOn.pass();
            }
            return "That was all.";
          },
        },
        async (terminal) => {
          await typeAway(terminal, "no, not yet");
          expect(stands()).toMatchObject({ action_state: "started", completed_actions: [] });
          goOn.open();
          await choose(terminal, "no", "the names are missing");
          expect(stands()).toMatchObject({ action_state: "started", completed_actions: [] });
          goOn.open();
          await choose(terminal, "yes", "looks right");
          goOn.open();
          await terminal.sees("That was all.");
        },
      );
      for (const answer of saw.slice(0, 2)) expect(answer).not.toContain("When done, proceed");
      // Codex cannot leave a comment empty, so that it is not asked for one.
      if (name !== "Codex") expect(saw[1]).toContain("the names are missing");
      expect(saw[2]).toContain("When done, proceed to decide_planning_criteria");
      expect(stands()).toMatchObject({
        action_state: "completed",
        completed_actions: [{ action_state: "story_bot.shape.gather_context" }],
      });
    });
  },
);
