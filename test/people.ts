import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { waymark } from "./command-line.ts";
import { openTerminal, type Terminal } from "./hosts/terminal.ts";
import type { Project } from "./project.ts";

/** A person with a home of their own: what is theirs on this machine, and commands that they run at a terminal. */
export type Sitting = {
  readonly configHome: string;
  /** Runs a command of ours in the project, at a pseudo-terminal. */
  runs(project: Pick<Project, "root">, args: readonly string[], env?: Readonly<Record<string, string>>): Terminal;
};

/** Somebody who sits down at this machine, with nothing of theirs on it yet. */
export function sitDown(): Sitting {
  const configHome = mkdtempSync(join(tmpdir(), "waymark-config-"));
  onTestFinished(() => rmSync(configHome, { recursive: true, force: true }));
  return {
    configHome,
    runs({ root }, args, more = {}) {
      const { PATH = "", HOME = "", XDG_STATE_HOME = "" } = process.env;
      const terminal = openTerminal({
        command: process.execPath,
        args: [waymark, ...args, "--root", root],
        cwd: root,
        env: { PATH, HOME, XDG_STATE_HOME, XDG_CONFIG_HOME: configHome, ...more },
      });
      onTestFinished(() => terminal.close());
      return terminal;
    },
  };
}

/** Answers a question that the screen shows. */
export async function reply(terminal: Terminal, question: string | RegExp, text: string): Promise<void> {
  await terminal.sees(question);
  await terminal.type(text);
  await terminal.press("enter");
}

/** Makes a key at a terminal and names it among the approvers. */
export async function enrolls(
  person: Sitting,
  project: Pick<Project, "root">,
  name: string,
  passphrase: string,
): Promise<void> {
  const terminal = person.runs(project, ["approve", "--enroll", name]);
  await reply(terminal, "A passphrase for it", passphrase);
  await reply(terminal, "Once more:", passphrase);
  await terminal.ends();
}

/** Trusts the first approver that is not trusted yet. */
export async function trusts(person: Sitting, project: Pick<Project, "root">): Promise<void> {
  const terminal = person.runs(project, ["trust"]);
  await reply(terminal, "Does their approval count on this machine?", "y");
  await terminal.ends();
}
