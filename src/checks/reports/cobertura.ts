import { gatherCoverage } from "./coverage.ts";
import type { ReportReader } from "./report.ts";
import { readXml } from "./xml.ts";

/** Reads a Cobertura report: counts its lines one by one, its branches from each line's conditions. */
export function coberturaReader(): ReportReader {
  const coverage = gatherCoverage();
  let file = "";
  let method: { name: string; isCalled: boolean } | undefined;
  let wrong: string | undefined;
  const xml = readXml(["coverage"], {
    open(name, attributes) {
      if (name === "class") file = attributes.filename ?? attributes.name ?? "";
      if (name === "method")
        method = { name: `${attributes.name ?? ""}${attributes.signature ?? ""}`, isCalled: false };
      if (name !== "line") return;
      const { number = "", hits = "" } = attributes;
      const count = Number(hits);
      if (!/^\d+$/.test(number) || !Number.isInteger(count) || count < 0) {
        wrong ??= `a line of ${file} has no number or no count of hits`;
        return;
      }
      coverage.line(file, number, count);
      if (method !== undefined && count > 0) method.isCalled = true;
      const [, taken, all] = /\((\d+)\/(\d+)\)/.exec(attributes["condition-coverage"] ?? "") ?? [];
      for (let branch = 0; branch < Math.min(Number(all ?? 0), mostBranches); branch++)
        coverage.branch(file, `${number} ${branch}`, branch < Number(taken));
    },
    close(name) {
      if (name !== "method" || method === undefined) return;
      coverage.called(file, method.name, method.isCalled);
      method = undefined;
    },
  });
  return {
    write: xml.write,
    end() {
      const problem = xml.end() ?? wrong;
      return problem === undefined ? coverage.read() : { problem };
    },
  };
}

/** No line has more. */
const mostBranches = 10_000;
