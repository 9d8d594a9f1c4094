import type { StandardsSearch } from "../engine/ports/search.ts";
import type { Reply } from "../engine/reply.ts";
import { defined } from "../kit/defined.ts";

/** Names the standards that fit the step a reply opens, where the settings ask for it. */
export async function fittingStandards(
  standards: Pick<StandardsSearch, "fitting">,
  { namesStandards, shown }: Pick<Reply, "namesStandards" | "shown">,
  session_id?: string,
): Promise<{ readonly standards?: readonly string[] }> {
  if (namesStandards === undefined || shown === null) return {};
  const headings = [...shown.text.slice(0, 2000).matchAll(/^#+ (.*)/gm)].slice(0, 3).map(([, heading]) => heading);
  const title = [shown.workflow, shown.step, ...headings].join(" ").replaceAll("_", " ");
  const names = await standards.fitting({ title, text: shown.text, ...defined({ session_id }) });
  return names.length === 0 ? {} : { standards: names };
}
