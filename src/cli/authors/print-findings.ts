import type { RankedFinding } from "../../app/check-project.ts";
import { oneLine, paint, print } from "../terminal/print.ts";

const styles = { error: "red", warning: "yellow", info: "dim" } as const;

/** Prints findings, each with its place, its repetitions and its fix. */
export function printFindings(findings: readonly RankedFinding[]): void {
  for (const { file, line, severity, code, message, fix, fixable, more } of findings) {
    print(`${oneLine(file)}:${line}  ${paint(styles[severity], severity)}  ${code}  ${oneLine(message)}`);
    const places = more.slice(0, 3).map((one) => oneLine(`${one.file}:${one.line}`));
    if (more.length > 0)
      print(`  and ${more.length} more like it: ${places.join(", ")}${more.length > 3 ? ", …" : ""}`);
    print(paint("dim", `  ${oneLine(fix)}${fixable ? " (waymark check --fix does this)" : ""}`));
  }
  if (findings.some(({ more }) => more.length > 3)) print("", "Use --compact to list all of them.");
  if (findings.length > 0) print("");
}
