import { gatherCoverage } from "./coverage.ts";
import type { ReportReader } from "./report.ts";

/** Reads an lcov tracefile: counts each line, branch and function; ignores its totals (LH, LF …). */
export function lcovReader(): ReportReader {
  const coverage = gatherCoverage();
  let file: string | undefined;
  let rest = "";
  let wrong: string | undefined;
  let number = 0;
  const readLine = (line: string): void => {
    number += 1;
    const [, key = "", value = ""] = /^([A-Z]+):(.*)$/.exec(line) ?? [];
    if (key === "SF") file = value;
    if (line === "end_of_record") file = undefined;
    const isCounted = key === "DA" || key === "BRDA" || key === "FNDA" || key === "FNA";
    if (!isCounted) return;
    const fields = value.split(",");
    if (file === undefined || !count(file, key, fields))
      wrong ??= `line ${number}: ${line.slice(0, 80)} cannot be read`;
  };
  const count = (of: string, key: "DA" | "BRDA" | "FNDA" | "FNA", fields: readonly string[]): boolean => {
    const [first = "", second = "", third = "", fourth = ""] = fields;
    if (key === "DA") {
      const isSound = isNumber(first) && isNumber(second);
      if (isSound) coverage.line(of, first, Number(second));
      return isSound;
    }
    if (key === "BRDA") {
      const isSound = isNumber(first) && (fourth === "-" || isNumber(fourth));
      if (isSound) coverage.branch(of, `${first} ${second} ${third}`, fourth !== "-" && Number(fourth) > 0);
      return isSound;
    }
    const [hits, name] = key === "FNDA" ? [first, fields.slice(1).join(",")] : [second, fields.slice(2).join(",")];
    if (!isNumber(hits) || name === "") return false;
    coverage.called(of, name, Number(hits) > 0);
    return true;
  };
  return {
    write(text) {
      const lines = (rest + text).split(/\r?\n/);
      rest = lines.pop() ?? "";
      for (const line of lines) readLine(line.trim());
    },
    end() {
      if (rest !== "") readLine(rest.trim());
      return wrong === undefined ? coverage.read() : { problem: wrong };
    },
  };
}

function isNumber(text: string): boolean {
  return /^\d+$/.test(text);
}
