import type { UpdateResult } from "../../engine/update-definition.ts";
import { phaseRefusalMessage } from "../../messages/phase-refusals.ts";
import { sessionView } from "../../workflow/session-view.ts";
import { askPerson, needTerminal } from "../people/ask-person.ts";
import { print, printJson } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";
import { type PlaceOptions, personAtTerminal, workplaceFor } from "../terminal/workplace-options.ts";
import { findSession } from "./find-session.ts";

export type UpdateOptions = PlaceOptions & { readonly json?: true };

/** Moves a session to the current version of its definition, after showing the person what must be redone. */
export async function update(named: string, options: UpdateOptions): Promise<void> {
  needTerminal("Moving a session to another definition is a person's decision. Run waymark update at a terminal.");
  const engine = await findSession(workplaceFor(options), named);
  const session = engine.id.name;
  const caller = personAtTerminal(options);
  const view = async () => sessionView(session, await engine.peek());
  const resultOf = async (result: UpdateResult): Promise<UpdateResult & { kind: "unchanged" | "updated" }> => {
    if (result.kind === "impossible")
      throw new UserError(`${session} can't be updated: ${result.problem}. Run waymark check, then try again.`);
    if (result.kind !== "refused") return result;
    const { message, required_action } = phaseRefusalMessage(result.outcome.refusal, await view(), false);
    throw new UserError(`${message} ${required_action}`);
  };
  const planned = await resultOf(await engine.update(caller));
  if (planned.kind === "unchanged") return print(`${session} already follows the current definition.`);
  const { redo, definition } = planned;
  print(
    redo.length === 0
      ? "Every completed phase stays: their gates mean the same in the current definition."
      : `To be done by the current definition: ${redo.map((phase) => `Phase ${phase}`).join(", ")}. Earlier records of them stay but no longer count.`,
  );
  if (!/^y(es)?$/i.test(await askPerson(`Move ${session} to the current definition? [y/N] `)))
    return print("Nothing was changed.");
  await resultOf(await engine.update(caller, definition));
  if (options.json) return printJson({ session, definition, redo: redo.map(Number) });
  print(`${session} follows the current definition now. The next call continues from there.`);
}
