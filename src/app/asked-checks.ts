import { join } from "node:path";
import type { Check, CommandCheck } from "../gates/check.ts";
import { canonicalText, checkMeaning } from "../gates/check-verdict.ts";
import { parsedJson } from "../kit/json.ts";
import { realPathOrSame } from "../kit/real-path.ts";
import { sealedFile } from "../stores/file/trust/sealed-file.ts";

/** The commands that team servers asked for in a work tree and no person has decided on, as this machine's runners got them. */
export async function askedChecks(area: string): Promise<readonly CommandCheck[]> {
  const text = await (await fileOf(area)).read();
  const listed = parsedJson(text ?? "[]");
  return Array.isArray(listed) ? (listed as CommandCheck[]) : [];
}

/** Keeps a command that a server asked for, so that `waymark trust` shows it; `from` names the server. */
export async function keepAskedCheck(area: string, check: Check, from: string): Promise<void> {
  if (check.kind !== "command") return;
  const { source } = check;
  const asked: CommandCheck = {
    ...check,
    source: { file: `${from} ${source?.file ?? ""}`.trim(), line: source?.line ?? 1 },
  };
  const hash = (one: Check): string => canonicalText(checkMeaning(one));
  const others = (await askedChecks(area)).filter((one) => hash(one) !== hash(asked));
  await (await fileOf(area)).write(JSON.stringify([...others, asked].slice(-most)));
}

const most = 50;

async function fileOf(area: string) {
  return sealedFile(join("trusted", `asked-${canonicalText(await realPathOrSame(area))}`));
}
