import { type Acceptable, accept } from "../audit/accept.ts";
import { deskName } from "../audit/desk-name.ts";
import { askPerson, needTerminal } from "./ask-person.ts";
import { UserFault } from "./fault.ts";
import { paint, plain, print } from "./print.ts";
import { atTerminal } from "./workplace.ts";

/** Shows a person at the terminal what is said of the histories, and puts on record that they take them as they stand; false where they do not. */
export async function acceptAtTerminal(all: readonly Acceptable[]): Promise<boolean> {
  needTerminal(
    "--accept asks a person at a terminal, and there is none here. Run waymark verify --accept yourself, in a terminal of your own.",
  );
  for (const { id, what } of all) {
    print(`${paint("yellow", "!")} ${deskName(id)}`);
    for (const one of what) print(`    ${plain(one)}`);
  }
  print(
    "",
    "Accepting takes the histories as they stand now. It is on record in each of them, brings nothing back, and",
    "waymark log shows it. Records that were set aside stay where they are and count for nothing.",
  );
  if ((await askPerson(`Type ${paint("cyan", acceptWord)} to accept: `)) !== acceptWord) {
    print("Nothing was accepted.");
    return false;
  }
  const { id: by, client } = atTerminal();
  for (const one of all) {
    const stamp = { at: new Date().toISOString(), by, ...(client === undefined ? {} : { client }) };
    const problem = await accept(one, stamp);
    if (problem !== undefined) throw new UserFault(`Not accepted: ${problem}.`);
  }
  return true;
}

const acceptWord = "accept";
