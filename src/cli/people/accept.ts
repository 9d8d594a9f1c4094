import { type AcceptableProblem, acceptHistory } from "../../audit/accept-history.ts";
import { defined } from "../../kit/defined.ts";
import { streamName } from "../../workflow/stream-id.ts";
import { oneLine, paint, print } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";
import { type PlaceOptions, personAtTerminal } from "../terminal/workplace-options.ts";
import { askPerson, needTerminal } from "./ask-person.ts";

/** Shows a person the problems of the histories and records that they accept them; returns false if they decline. */
export async function acceptAtTerminal(all: readonly AcceptableProblem[], options: PlaceOptions): Promise<boolean> {
  needTerminal("--accept needs a terminal, and there is none here. Run waymark verify --accept in your own terminal.");
  for (const { id, what } of all) {
    print(`${paint("yellow", "!")} ${streamName(id)}`);
    for (const one of what) print(`    ${oneLine(one)}`);
  }
  print(
    "",
    "Accepting takes the histories as they are now. It is recorded in each of them, restores nothing, and",
    "appears in waymark log. Forked records stay where they are and do not count.",
  );
  if ((await askPerson(`Type ${paint("cyan", confirmationWord)} to accept: `)) !== confirmationWord) {
    print("Nothing was accepted.");
    return false;
  }
  const { id: by, client } = personAtTerminal(options);
  for (const one of all) {
    const stamp = { at: new Date().toISOString(), by, ...defined({ client }) };
    const problem = await acceptHistory(one, stamp);
    if (problem !== undefined) throw new UserError(`Not accepted: ${problem}.`);
  }
  return true;
}

const confirmationWord = "accept";
