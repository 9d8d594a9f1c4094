import type { Facts } from "../../evidence/check.ts";

/** A report as it was understood, or why it was not. */
export type ReportRead = { readonly facts: Facts } | { readonly problem: string };

/** Reads the text of a report as it comes, piece by piece, and says at its end what it holds. */
export type ReportReader = { write(text: string): void; end(): ReportRead };
