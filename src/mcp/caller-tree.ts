import * as z from "zod/v4";
import type { CallerContext } from "../engine/caller.ts";
import { defined } from "../kit/defined.ts";

/** The key of `_meta` under which a bridge reports its caller's work tree. */
export const treeKey = "waymark/tree";

/** A bridge's report with a call. */
export type ReportedTree = z.output<typeof shape>;

const shape = z.object({
  /** The fingerprint of the key that the bridge signs results with. */
  key: z.string().regex(/^[0-9a-f]{64}$/),
  commit: z
    .string()
    .regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/)
    .optional(),
  /** The nonces of its results whose files are unchanged. */
  valid: z.array(z.string().max(64)).max(200).default([]),
});

/** Reads the report of the bridge that a call came through, if it came through one. */
export function readCallerTree(meta: object | undefined, principal: string): Pick<CallerContext, "tree" | "commit"> {
  const reported = shape.safeParse((meta as Record<string, unknown> | undefined)?.[treeKey]).data;
  const bridge = reported === undefined ? undefined : { principal, key: reported.key };
  const tree = { valid: new Set(reported?.valid), wanted: new Set<string>(), ...defined({ bridge }) };
  return { tree, ...defined({ commit: reported?.commit }) };
}
