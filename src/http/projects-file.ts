import * as z from "zod/v4";
import type { NotifyTarget } from "../engine/ports/notice-queue.ts";
import { defined } from "../kit/defined.ts";
import { parsedJson } from "../kit/json.ts";
import { notifyForm, readTargets } from "../notify/read-targets.ts";
import { namePattern } from "./token-record.ts";

/** One project of a server: its definitions and, if given, its project area and its webhooks. */
export type ProjectEntry = {
  readonly name: string;
  readonly definitions: string;
  readonly area?: string;
  readonly notify?: readonly NotifyTarget[];
};

const file = z.record(
  z.string(),
  z.strictObject({
    definitions: z.string().min(1),
    area: z.string().min(1).optional(),
    notify: z.unknown().optional(),
  }),
);

/** Parses the file of `--projects`, or returns what is wrong with it. */
export function readProjects(text: string): readonly ProjectEntry[] | { readonly wrong: string } {
  const written = parsedJson(text);
  if (written === undefined) return { wrong: "it is not valid JSON" };
  const parsed = file.safeParse(written);
  if (!parsed.success) return { wrong: "it must be {name: {definitions, area?, notify?}} for each project" };
  const entries = Object.entries(parsed.data);
  const bad = entries.find(([name]) => !namePattern.test(name));
  if (bad !== undefined)
    return {
      wrong: `${JSON.stringify(bad[0])} is not a valid project name: use at most 64 letters, digits, ".", "_" and "-"`,
    };
  if (entries.length === 0) return { wrong: "it names no project" };
  const read = entries.map(([name, { definitions, area, notify }]) => {
    const targets = notify === undefined ? [] : readTargets(notify);
    return targets === undefined ? name : { name, definitions, notify: targets, ...defined({ area }) };
  });
  const unread = read.find((entry) => typeof entry === "string");
  if (unread !== undefined) return { wrong: `notify of ${unread} must be ${notifyForm}` };
  return read.filter((entry) => typeof entry !== "string");
}
