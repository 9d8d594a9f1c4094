import * as z from "zod/v4";
import type { RunnerRequest } from "../engine/ports/runners.ts";
import { facts } from "../gates/check.ts";

const text = (max: number) => z.string().max(max);
const hash = text(128);
const short = text(500);
const count = z.number().finite();
const factsFound = z.partialRecord(z.enum(facts), count);

const result = z.strictObject({
  name: short,
  status: z.enum(["passed", "failed"]),
  definition: hash,
  reads: hash,
  summary: text(4000),
  facts: factsFound.optional(),
  failing: z.array(text(1000)).max(20).optional(),
  found: z.record(short, count).optional(),
  exit: z.number().int().optional(),
  seconds: count.optional(),
  output: text(20_000).optional(),
  contained: short.optional(),
});

const statement = z.strictObject({
  v: z.literal(1),
  kind: z.literal("check"),
  nonce: hash,
  project: short,
  first: hash.nullable(),
  run: short,
  workflow: short,
  step: short,
  pass: z.number().int(),
  attempt: z.number().int(),
  check: short,
  wanted: hash,
  submission: hash,
  status: z.enum(["passed", "failed"]),
  exit: z.number().int().nullable(),
  facts: factsFound,
  reads: hash,
  commit: hash.nullable(),
  changes: hash.nullable(),
  result: hash,
  at: short,
});

const held = { id: hash, nonce: hash };

/** The requests of runners, as they are accepted. */
export const runnerRequest = z.discriminatedUnion("do", [
  z.strictObject({ do: z.literal("claim"), public: text(200), instance: hash, wait: z.number().min(0).max(30) }),
  z.strictObject({ do: z.literal("check"), ...held, definition: hash }),
  z.strictObject({ do: z.literal("renew"), ...held }),
  z.strictObject({
    do: z.literal("decline"),
    ...held,
    note: z.strictObject({ kind: z.enum(["untrusted", "failed"]), text: text(1000), trust: short.optional() }),
  }),
  z.strictObject({ do: z.literal("result"), ...held, result, statement, signature: short }),
]) as z.ZodType<RunnerRequest>;
