import { homedir } from "node:os";
import { diagnoseProject, diagnoseSignIn } from "../../app/diagnose-project.ts";
import { diagnoseHosts } from "../../hosts/diagnose-hosts.ts";
import { diagnoseNode, diagnosePackage } from "../../hosts/diagnose-start.ts";
import type { Diagnosis } from "../../hosts/diagnosis.ts";
import { hasDefinitions } from "../../hosts/init/plan.ts";
import { packageFolder } from "../../hosts/init/template-files.ts";
import { countText } from "../../kit/count-text.ts";
import { version } from "../../version.ts";
import { oneLine, paint, print, printJson } from "../terminal/print.ts";
import { type PlaceOptions, placesFor, workplaceFor } from "../terminal/workplace-options.ts";
import { hostContextFor } from "./init.ts";

/** Prints what is wrong with a set-up and how to fix it; changes nothing, and sets exit code 1 if there is a problem. */
export async function doctor(options: PlaceOptions & { readonly json?: true }): Promise<void> {
  const { root, projectArea = root } = placesFor(options);
  const workplace = workplaceFor(options);
  const path = process.env.PATH ?? "";
  const place = hostContextFor({ root });
  const { diagnoses, found, remote } = diagnoseHosts(place, path);
  const isRemote = remote !== undefined && !hasDefinitions(root);
  const project = { root, projectArea, home: homedir(), workplace, inDatabase: options.postgres !== undefined };
  const all: Diagnosis[] = [];
  const show = (looked: readonly Diagnosis[]): void => {
    all.push(...looked);
    if (!options.json) print(...looked.flatMap(linesOf)); // at once: some parts take a moment
  };
  if (!options.json) print(`The project is ${root}.`, "");
  show([diagnoseNode(packageFolder(), path), diagnosePackage(place, version), ...diagnoses]);
  if (isRemote) show(diagnoseSignIn(remote));
  else for await (const looked of diagnoseProject(project)) show(looked);
  workplace.close();
  const count = (status: Diagnosis["status"]): number => all.filter((one) => one.status === status).length;
  const counts = { problem: count("problem"), warning: count("warning"), ok: count("ok") };
  if (counts.problem > 0) process.exitCode = 1;
  if (options.json) return printJson({ root, version, counts, diagnoses: all });
  print("");
  if (counts.problem + counts.warning > 0)
    print(`${countText(counts.problem, "problem")}, ${countText(counts.warning, "warning")}.`);
  else print("Everything is set up.");
  if (counts.problem > 0) return;
  for (const { title, next } of found) print(paint("dim", `If ${title} does not show Waymark's tools: ${next}`));
}

const marks = { ok: ["green", "ok     "], warning: ["yellow", "warning"], problem: ["red", "problem"] } as const;

function linesOf({ part, status, message, fix }: Diagnosis): readonly string[] {
  const [style, mark] = marks[status];
  const line = `${paint(style, mark)}  ${part.padEnd(11)}  ${oneLine(message)}`;
  return fix === undefined ? [line] : [line, `${" ".repeat(22)}${paint("bold", oneLine(fix))}`];
}
