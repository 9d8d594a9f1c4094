import type { Facts } from "../../gates/check.ts";

/** The facts of a report, or why it cannot be read. */
export type ReportRead = { readonly facts: Facts } | { readonly problem: string };

/** Reads a report in chunks and returns its facts at the end. */
export type ReportReader = { write(text: string): void; end(): ReportRead };
