import { relative } from "node:path";
import { cancel, confirm, intro, isCancel, multiselect, note, select } from "@clack/prompts";
import type { Host } from "../hosts/host.ts";
import { hosts } from "../hosts/hosts.ts";
import { type Template, templates } from "../init/kit.ts";
import type { TestCommand } from "../init/tests/test-command.ts";

/** Which questions are open. */
export type Open = { readonly template: boolean; readonly hosts: boolean };

/** Asks on the terminal what the flags left open; the hosts found on this machine are ticked. */
export async function askForWish(
  open: Open,
  found: readonly Host[],
): Promise<{ readonly template?: Template; readonly hosts: readonly Host[] }> {
  intro("waymark init");
  const template = open.template ? await askForTemplate() : undefined;
  const chosen = open.hosts ? await askForHosts(found) : [];
  return { ...(template === undefined ? {} : { template }), hosts: hosts.filter(({ id }) => chosen.includes(id)) };
}

/** Shows which files will be written and waits for a yes; anything else ends the command with nothing written. */
export async function askToWrite(paths: readonly string[], root: string): Promise<void> {
  const inside = paths.map((path) => relative(root, path));
  const laid = inside.filter((path) => path.startsWith(".waymark"));
  const others = inside.filter((path) => !path.startsWith(".waymark"));
  const lines = [...(laid.length === 0 ? [] : [`.waymark/ (${laid.length} files)`]), ...others];
  note(lines.join("\n"), "To be written");
  if ((await confirm({ message: "Write them?" })) !== true) stop();
}

/** Asks which command Waymark runs for the tests, of those that fit the project; none is an answer too. */
export async function askForTests(found: readonly TestCommand[]): Promise<TestCommand | undefined> {
  if (found.length === 0) return undefined;
  const answer = await select<TestCommand | "none">({
    message: "Shall Waymark run the tests itself, instead of believing what an assistant says of them?",
    options: [
      ...found.map((value) => ({ value, label: `Yes, with ${value.tool}`, hint: value.run.join(" ") })),
      { value: "none" as const, label: "No", hint: "the assistant's figures are on record as claims" },
    ],
  });
  if (isCancel(answer)) return stop();
  return answer === "none" ? undefined : answer;
}

async function askForTemplate(): Promise<Template> {
  const answer = await select<Template>({
    message: "Which process?",
    options: templates.map((value) => ({ value, ...described[value] })),
  });
  return isCancel(answer) ? stop() : answer;
}

const described: Readonly<Record<Template, { readonly label: string; readonly hint: string }>> = {
  "story-bot": { label: "Story bot", hint: "from an idea to stories, scenarios and tests" },
  "test-generation": { label: "Test generation", hint: "tests for one file, with proof at every step" },
  blank: { label: "Blank", hint: "your own, from the smallest bot that works" },
};

async function askForHosts(found: readonly Host[]): Promise<readonly string[]> {
  const answer = await multiselect<string>({
    message: "Which assistants shall find it?",
    options: hosts.map((host) => ({
      value: host.id,
      label: host.title,
      ...(found.includes(host) ? { hint: "found here" } : {}),
    })),
    initialValues: found.map(({ id }) => id),
    required: false,
  });
  return isCancel(answer) ? stop() : answer;
}

function stop(): never {
  cancel("Nothing was written.");
  process.exit(1);
}
