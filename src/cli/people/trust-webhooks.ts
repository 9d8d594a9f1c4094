import type { CommandTrust, TrustDecision } from "../../app/trust-commands.ts";
import { targetHash } from "../../app/workplace-notices.ts";
import type { NotifyTarget } from "../../engine/ports/notice-queue.ts";
import { realPathOrSame } from "../../kit/real-path.ts";
import { oneLine, paint, print } from "../terminal/print.ts";
import { type PlaceOptions, workplaceFor } from "../terminal/workplace-options.ts";
import { askPerson, needTerminal } from "./ask-person.ts";

/** The webhooks of the settings, with those that are trusted on this machine. */
export type Webhooks = { readonly configured: readonly NotifyTarget[]; readonly trusted: readonly NotifyTarget[] };

/** Reads the webhooks of the settings. */
export async function listWebhooks(options: PlaceOptions): Promise<Webhooks> {
  const workplace = workplaceFor(options);
  try {
    return await workplace.notices.listed();
  } finally {
    workplace.close();
  }
}

/** Shows the webhooks that are not trusted, and lets a person at a terminal trust each; never without one. */
export async function trustWebhooks(
  { configured, trusted }: Webhooks,
  {
    area,
    trust,
    isUnattended,
  }: { readonly area: string; readonly trust: CommandTrust; readonly isUnattended: boolean },
): Promise<void> {
  const open = configured.filter((target) => !trusted.includes(target));
  if (configured.length === 0) return;
  if (open.length === 0) return print(`Every webhook is trusted (${configured.length}).`);
  if (isUnattended) return print(`Not trusted: ${open.map(webhookText).join(", ")}. ${noTerminalText}`);
  needTerminal(noTerminalText);
  for (const target of open) {
    print(
      paint("bold", `webhook ${webhookText(target)}`),
      "  Waymark will send it the names of runs and steps that need a person.",
    );
    const answer = await askPerson("Enter means not now. Trust it on this machine? [y/N] ");
    if (!/^y(es)?$/i.test(answer)) {
      print(paint("yellow", "Not trusted: Waymark sends nothing to it.\n"));
      continue;
    }
    const decided: TrustDecision = {
      ...{ word: "yes", definition: targetHash(target), place: await realPathOrSame(area) },
      ...{ file: "config.json", name: "notify", shown: { "is sent notices": webhookText(target) }, behind: {} },
      ...{ at: new Date().toISOString(), by: "a person at a terminal" },
    };
    await trust.decide(decided);
    print(paint("green", "Trusted.\n"));
  }
}

/** Formats a webhook in one line. */
export function webhookLine(target: NotifyTarget, { trusted }: Webhooks): string {
  const mark = trusted.includes(target) ? paint("green", "trusted  ") : paint("yellow", "untrusted");
  return `${mark}  webhook ${webhookText(target)}`;
}

function webhookText({ url, urlEnv, secretEnv, format }: NotifyTarget): string {
  const to = url === undefined ? `the address in $${urlEnv}` : oneLine(url);
  return `${to} (${format}${secretEnv === undefined ? "" : `, signed with $${secretEnv}`})`;
}

const noTerminalText = "Trusting a webhook needs a terminal. Run waymark trust in your own terminal.";
