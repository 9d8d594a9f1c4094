import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { wholeOr } from "../whole.ts";
import { seatedHosts, turnstile } from "./answer-form.ts";
import type { Seen } from "./model-api.ts";
import { sitAtHost } from "./run-host.ts";

const server = resolve(import.meta.dirname, "form-server.mjs");

describe.each(wholeOr(seatedHosts, seatedHosts.slice(0, 1)))(
  "a person at a terminal with $name",
  ({ host, model, choose, typeAway }) => {
    test("answers a form by keys, and what they chose reaches the server", async () => {
      const root = mkdtempSync(join(tmpdir(), "waymark-seated-"));
      onTestFinished(() => rmSync(root, { recursive: true, force: true }));
      const answers: string[] = [];
      const goOn = turnstile();
      await sitAtHost(
        host,
        {
          root,
          model,
          mcpCommand: [process.execPath, server],
          prompt: "Let us begin.",
          script: async function* (first: Seen) {
            if (!first.tools.join().includes("ask_person")) yield { search: "ask_person" };
            for (const _ of ["typed", "no", "yes"]) {
              const { answers: all } = yield { call: "ask_person", with: {} };
              answers.push(all.at(-1) ?? "");
              await goOn.pass();
            }
            return "That was all.";
          },
        },
        async (terminal) => {
          await typeAway(terminal, "no, not yet");
          goOn.open();
          await choose(terminal, "no", "the names are missing");
          goOn.open();
          await choose(terminal, "yes", "looks right");
          goOn.open();
          await terminal.sees("That was all.");
        },
      );
      expect(answers[0]).not.toContain('"answer":"yes"');
      expect(answers[1]).toContain('"content":{"answer":"no","comment":"the names are missing"}');
      expect(answers[2]).toContain('"content":{"answer":"yes","comment":"looks right"}');
    });
  },
);
