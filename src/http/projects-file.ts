import * as z from "zod/v4";
import { namePattern } from "./token-record.ts";

/** One project of a server: where its definitions are, and where what it hands in goes, as far as a file says so. */
export type ProjectEntry = { readonly name: string; readonly definitions: string; readonly area?: string };

const file = z.record(
  z.string(),
  z.strictObject({ definitions: z.string().min(1), area: z.string().min(1).optional() }),
);

/** Reads what `--projects` names; or says what is wrong with it. */
export function readProjects(text: string): readonly ProjectEntry[] | { readonly wrong: string } {
  let written: unknown;
  try {
    written = JSON.parse(text);
  } catch {
    return { wrong: "it is no JSON" };
  }
  const parsed = file.safeParse(written);
  if (!parsed.success) return { wrong: "it must say {name: {definitions, area?}} for each project, and nothing else" };
  const entries = Object.entries(parsed.data);
  const bad = entries.find(([name]) => !namePattern.test(name));
  if (bad !== undefined)
    return {
      wrong: `${JSON.stringify(bad[0])} is no name of a project: letters, digits, ".", "_" and "-", at most 64`,
    };
  if (entries.length === 0) return { wrong: "it names no project" };
  return entries.map(([name, { definitions, area }]) => ({
    name,
    definitions,
    ...(area === undefined ? {} : { area }),
  }));
}
