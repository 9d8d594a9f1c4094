import { setTimeout as pause } from "node:timers/promises";
import { claudeAtTerminal } from "./claude.ts";
import { codexAtTerminal } from "./codex.ts";
import type { Host } from "./run-host.ts";
import type { Terminal } from "./terminal.ts";

/** A host at a terminal, and how a person answers the form of a person's word in it by keys. */
export type SeatedHost = {
  readonly name: string;
  readonly host: Host;
  readonly model: string;
  /** Chooses an answer, writes a comment and sends the form off. */
  choose(terminal: Terminal, answer: "yes" | "no", comment: string): Promise<void>;
  /** Types words where the form stands and presses Enter until it is gone; where it will not go, Escape. */
  typeAway(terminal: Terminal, words: string): Promise<void>;
};

/** A screen without a form. */
const noForm = /^(?![\s\S]*(requests your input|Field \d\/\d))/;

/** Everyone reads a question before they answer it. */
const reading = 500;

const claude: SeatedHost = {
  name: "Claude Code",
  host: claudeAtTerminal,
  model: "claude-sonnet-4-5",
  // All fields are on one screen and nothing is chosen. Letters at a choice look for it, a space takes it, Enter goes on;
  // Accept wants what is required.
  async choose(terminal, answer, comment) {
    await terminal.sees("requests your input");
    await pause(reading);
    await terminal.pressUntil("right", /[◯●◉✔] *(yes|no)\n/);
    if (!pointsAt(terminal, answer)) await terminal.pressUntil("down", new RegExp(`❯ . ${answer}\\b`));
    await terminal.pressUntil("enter", /❯ . Comment:/);
    await terminal.type(comment);
    await terminal.pressUntil("enter", "❯ Accept");
    await leave(terminal);
  },
  async typeAway(terminal, words) {
    await terminal.sees("requests your input");
    await pause(reading);
    await terminal.type(words);
    await terminal.pressUntil("enter", /❯ . Comment:/);
    await terminal.pressUntil("enter", "❯ Accept");
    await terminal.pressUntil("enter", new RegExp(`This field is required|${noForm.source}`));
    if (!noForm.test(terminal.screen())) await terminal.pressUntil("escape", noForm);
  },
};

const codex: SeatedHost = {
  name: "Codex",
  host: codexAtTerminal,
  model: "scripted",
  // One field at a time, in the order of their names; the first choice is taken by Enter, and an empty text by nothing.
  // Waymark leaves the comment out for that reason.
  async choose(terminal, answer, comment) {
    await terminal.sees(/Field 1\/\d/);
    await pause(reading);
    if (!new RegExp(`› \\d\\. ${answer}\\b`).test(terminal.screen()))
      await terminal.pressUntil("down", new RegExp(`› \\d\\. ${answer}\\b`));
    await goOn(terminal, comment);
  },
  async typeAway(terminal, words) {
    await terminal.sees(/Field 1\/\d/);
    await pause(reading);
    await terminal.type(words);
    await goOn(terminal, words);
  },
};

/** Sends the answer off; where a comment is asked for as well, with that. */
async function goOn(terminal: Terminal, comment: string): Promise<void> {
  await terminal.pressUntil("enter", new RegExp(`Field 2/2|${noForm.source}`));
  if (noForm.test(terminal.screen())) return;
  await terminal.type(comment);
  await leave(terminal);
}

export const seatedHosts: readonly SeatedHost[] = [claude, codex];

/** Holds the model back until the person has seen the form go, so that a form that follows is not taken for the same. */
export function turnstile(): { pass(): Promise<void>; open(): void } {
  let open = 0;
  let waiting: (() => void) | undefined;
  return {
    pass: async () => {
      while (open === 0) await new Promise<void>((resolve) => (waiting = resolve));
      open -= 1;
    },
    open: () => {
      open += 1;
      waiting?.();
    },
  };
}

function pointsAt(terminal: Terminal, answer: string): boolean {
  return new RegExp(`❯ . ${answer}\\b`).test(terminal.screen());
}

async function leave(terminal: Terminal): Promise<void> {
  await terminal.pressUntil("enter", noForm);
}
