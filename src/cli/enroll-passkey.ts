import { basename, resolve } from "node:path";
import { listApprovers } from "../compose-people.ts";
import { enrolling } from "../http/pages/enrolling.ts";
import { openPages } from "../http/pages/pages.ts";
import { type Approver, approverName, approverNameRule } from "../people/approver.ts";
import { addApprover, approversFile } from "../people/approvers-file.ts";
import type { EnrollOptions } from "./enroll.ts";
import { UserFault } from "./fault.ts";
import { showPage } from "./open-browser.ts";
import { listedOrFault, peoplePlaces } from "./people-places.ts";
import { plain, print, printJson } from "./print.ts";

/** Serves a page on which a person makes a passkey, and names its public part among the approvers of these definitions; ends when that is done. */
export async function enrollPasskey(written: string, options: EnrollOptions): Promise<void> {
  const name = approverName(written);
  if (name === undefined)
    throw new UserFault(`${plain(written).slice(0, 100)} is no name of a person: ${approverNameRule}.`);
  const places = peoplePlaces(options);
  const listed = listedOrFault(await listApprovers(places)).map(({ approver }) => approver);
  const pages = openPages((fault) => void process.stderr.write(`waymark: ${String(fault)}\n`));
  try {
    const { key } = await new Promise<Approver>((enrolled, fail) => {
      const page = enrolling({
        name,
        project: basename(resolve(options.root)),
        known: listed.flatMap((one) => (one.kind === "passkey" && one.name === name ? [one.credential] : [])),
        clock: () => new Date(),
        async keep(approver) {
          const problem = await addApprover(places.definitions, approver);
          if (problem === undefined) enrolled(approver);
          return problem;
        },
      });
      pages.open(page).then(({ url }) => showPage(url, "Make the passkey there", options.json === true), fail);
    });
    if (options.json === true) return printJson({ name, key, trusted: false });
    print(
      `${name} is enrolled: ${key}`,
      `The private part is in the device that made it, the public part in ${approversFile} beside the definitions.`,
      "It counts on a machine once a person has trusted it there, at a terminal: waymark trust",
    );
  } finally {
    await pages.close();
  }
}
