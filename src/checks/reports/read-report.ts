import { open } from "node:fs/promises";
import type { ReportFormat } from "../../gates/check.ts";
import { coberturaReader } from "./cobertura.ts";
import { ctrfReader } from "./ctrf.ts";
import { junitReader } from "./junit.ts";
import { lcovReader } from "./lcov.ts";
import { addUp, type ReportCount, type ReportRead, type ReportReader } from "./report.ts";
import { tapReader } from "./tap.ts";
import { vitestReader } from "./vitest.ts";

/** The reader and size limit of each format. */
const readers = {
  junit: { read: junitReader, mostBytes: 128 << 20 },
  tap: { read: tapReader, mostBytes: 32 << 20 },
  vitest: { read: vitestReader, mostBytes: 64 << 20 },
  ctrf: { read: ctrfReader, mostBytes: 64 << 20 },
  lcov: { read: lcovReader, mostBytes: 128 << 20 },
  cobertura: { read: coberturaReader, mostBytes: 128 << 20 },
} as const satisfies Record<ReportFormat, { read: () => ReportReader; mostBytes: number }>;

/** Reads one report on its own. */
export async function readReport(path: string, format: ReportFormat): Promise<ReportRead> {
  return addUp([await countReport(path, format)]);
}

/** Counts a report from a file in chunks, up to the size limit. */
export async function countReport(path: string, format: ReportFormat): Promise<ReportCount> {
  const { read, mostBytes } = readers[format];
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (size > mostBytes) return { problem: `it is longer than ${mostBytes >> 20} MB` };
    const reader = read();
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let left = mostBytes;
    for await (const piece of file.createReadStream({ autoClose: false, highWaterMark: 1 << 18 })) {
      if (!(piece instanceof Uint8Array)) continue;
      left -= piece.length;
      if (left < 0) return { problem: `it is longer than ${mostBytes >> 20} MB` };
      reader.write(decoder.decode(piece, { stream: true }));
    }
    reader.write(decoder.decode());
    return reader.end();
  } catch (error) {
    if (error instanceof TypeError) return { problem: "it is not UTF-8 text" };
    throw error;
  } finally {
    await file.close();
  }
}
