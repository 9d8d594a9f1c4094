import { relative } from "node:path";
import { cancel, confirm, intro, isCancel, multiselect, note, select } from "@clack/prompts";
import { hosts } from "../../hosts/all-hosts.ts";
import type { Host } from "../../hosts/host.ts";
import { type Template, templates } from "../../hosts/init/template.ts";
import type { TestCommand } from "../../hosts/init/tests/test-command.ts";
import { defined } from "../../kit/defined.ts";

/** The questions that the flags leave open. */
export type OpenQuestions = { readonly template: boolean; readonly hosts: boolean };

/** Asks on the terminal what the flags left open, with the hosts found here preselected. */
export async function askForChoices(
  open: OpenQuestions,
  found: readonly Host[],
): Promise<{ readonly template?: Template; readonly hosts: readonly Host[] }> {
  intro("waymark init");
  const template = open.template ? await askForTemplate() : undefined;
  const chosen = open.hosts ? await askForHosts(found) : [];
  return { ...defined({ template }), hosts: hosts.filter(({ id }) => chosen.includes(id)) };
}

/** Shows the files to be written and asks for confirmation; anything but yes ends the command. */
export async function askToWrite(paths: readonly string[], root: string): Promise<void> {
  const inside = paths.map((path) => relative(root, path));
  const laid = inside.filter((path) => path.startsWith(".waymark"));
  const others = inside.filter((path) => !path.startsWith(".waymark"));
  const lines = [...(laid.length === 0 ? [] : [`.waymark/ (${laid.length} files)`]), ...others];
  note(lines.join("\n"), "Files to write");
  if ((await confirm({ message: "Write them?" })) !== true) stop();
}

/** Asks which of the project's test commands Waymark should run, if any. */
export async function askForTests(found: readonly TestCommand[]): Promise<TestCommand | undefined> {
  if (found.length === 0) return undefined;
  const answer = await select<TestCommand | "none">({
    message: "Should Waymark run the tests itself, instead of relying on what an assistant reports?",
    options: [
      ...found.map((value) => ({ value, label: `Yes, with ${value.tool}`, hint: value.run.join(" ") })),
      { value: "none" as const, label: "No", hint: "the assistant's numbers are recorded as claimed" },
    ],
  });
  if (isCancel(answer)) return stop();
  return answer === "none" ? undefined : answer;
}

/** Asks if the project should get a copy of Waymark. */
export async function askForCopy(): Promise<boolean> {
  const answer = await confirm({
    message: "Put a copy of Waymark into .waymark/vendor/ (6 MB, for git)? Colleagues then need Node and nothing else.",
  });
  return isCancel(answer) ? stop() : answer;
}

async function askForTemplate(): Promise<Template> {
  const answer = await select<Template>({
    message: "Which process?",
    options: templates.map((value) => ({ value, ...templateLabels[value] })),
  });
  return isCancel(answer) ? stop() : answer;
}

const templateLabels: Readonly<Record<Template, { readonly label: string; readonly hint: string }>> = {
  "story-bot": { label: "Story bot", hint: "from an idea to stories, scenarios and tests" },
  "test-generation": { label: "Test generation", hint: "tests for one file, with evidence at every step" },
  "bug-fix": { label: "Bug fix", hint: "from a report to a reviewed change, with a way back from the review" },
  "spec-driven": {
    label: "From a specification",
    hint: "specify, plan, then task by task from your task list, and a review",
  },
  blank: { label: "Blank", hint: "your own process, starting from a minimal bot" },
};

async function askForHosts(found: readonly Host[]): Promise<readonly string[]> {
  const answer = await multiselect<string>({
    message: "Which assistants should use it?",
    options: hosts.map((host) => ({
      value: host.id,
      label: host.title,
      ...(found.includes(host) ? { hint: "installed" } : {}),
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
