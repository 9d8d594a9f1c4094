import { basename, resolve } from "node:path";
import { listApprovers } from "../../app/list-approvers.ts";
import { enrolPage } from "../../dashboard/api/pages/enrol-page.ts";
import { openPages } from "../../dashboard/api/pages/pages.ts";
import { systemClock } from "../../kit/system-clock.ts";
import { type Approver, approverName, approverNameRule } from "../../people/approver.ts";
import { addApprover, approversFile } from "../../people/approvers-file.ts";
import { showPage } from "../terminal/open-browser.ts";
import { oneLine, print, printJson } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";
import { approverPlaces, approversOrThrow } from "./approver-places.ts";
import type { EnrollOptions } from "./enroll.ts";

/** Serves a page where a person creates a passkey, and adds its public part to the approvers. */
export async function enrollPasskey(written: string, options: EnrollOptions): Promise<void> {
  const name = approverName(written);
  if (name === undefined)
    throw new UserError(`${oneLine(written).slice(0, 100)} is not a valid name: use ${approverNameRule}.`);
  const places = approverPlaces(options);
  const listed = approversOrThrow(await listApprovers(places)).map(({ approver }) => approver);
  const pages = openPages((fault) => void process.stderr.write(`waymark: ${String(fault)}\n`));
  try {
    const { key } = await new Promise<Approver>((enrolled, fail) => {
      const page = enrolPage({
        name,
        project: basename(resolve(options.root)),
        known: listed.flatMap((one) => (one.kind === "passkey" && one.name === name ? [one.credential] : [])),
        clock: systemClock,
        async keep(approver) {
          const problem = await addApprover(places.definitions, approver);
          if (problem === undefined) enrolled(approver);
          return problem;
        },
      });
      pages
        .open(page)
        .then(({ url }) => showPage(url, "Create the passkey in the browser", options.json === true), fail);
    });
    if (options.json === true) return printJson({ name, key, trusted: false });
    print(
      `${name} is enrolled: ${key}`,
      `The private part is on the device that created it, the public part in ${approversFile} beside the definitions.`,
      "It counts on a machine once a person trusts it there: waymark trust",
    );
  } finally {
    await pages.close();
  }
}
