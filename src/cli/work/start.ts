import { defined } from "../../kit/defined.ts";
import { warningTexts } from "../../messages/notices.ts";
import { phaseRefusalMessage } from "../../messages/phase-refusals.ts";
import { sessionView } from "../../workflow/session-view.ts";
import { oneLine, paint, print, printJson } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";
import { type PlaceOptions, personAtTerminal, workplaceFor } from "../terminal/workplace-options.ts";

export type StartOptions = PlaceOptions & { readonly input?: readonly string[]; readonly json?: true };

/** Starts a session of a workflow for an assistant to carry on, or shows the unfinished one. */
export async function start(workflow: string, target: string | undefined, options: StartOptions): Promise<void> {
  const workplace = workplaceFor(options);
  try {
    const inputTexts = readInputs(options.input ?? []);
    const reply = await workplace.sessions.start(personAtTerminal(options), {
      type: workflow,
      inputTexts,
      ...defined({ target }),
    });
    const { outcome, id, stream, resumed } = reply;
    if (outcome.kind === "refused") {
      const { message, required_action } = phaseRefusalMessage(outcome.refusal, null, false);
      const isInput = message.includes("the input ");
      throw new UserError(
        oneLine(`${message} ${required_action}${isInput ? " Give it with --input NAME=VALUE." : ""}`),
      );
    }
    const view = sessionView(id.name, stream);
    if (view === null) throw new UserError(`The session of ${oneLine(workflow)} could not be recorded.`);
    await workplace.settle();
    if (options.json) return printJson({ ...view, resumed: resumed === true });
    for (const warning of warningTexts(reply.warnings, id)) print(paint("yellow", `! ${oneLine(warning)}`));
    print(`${resumed === true ? "Already under way" : "Started"}: ${id.name}`);
    const named = target === undefined ? "" : ` for ${oneLine(target)}`;
    print(`Tell your assistant: "Go on with the workflow ${oneLine(workflow)}${named}." Its session_id is ${id.name}.`);
  } finally {
    workplace.close();
  }
}

function readInputs(written: readonly string[]): { readonly [name: string]: string } {
  const inputs = new Map<string, string>();
  for (const [name, text] of written.map(splitInput)) {
    if (inputs.has(name)) throw new UserError(`The input ${oneLine(name)} is given twice.`);
    inputs.set(name, text);
  }
  return Object.fromEntries(inputs);
}

function splitInput(written: string): readonly [string, string] {
  const at = written.indexOf("=");
  if (at < 1) throw new UserError(`--input ${oneLine(written)} is not NAME=VALUE.`);
  return [written.slice(0, at), written.slice(at + 1)];
}
