import type { JWTPayload } from "jose";
import * as z from "zod/v4";
import { type Role, roles } from "../../engine/ports/team.ts";
import { isObject, parsedJson } from "../../kit/json.ts";
import { namePattern } from "../token-record.ts";

/** The role and project that a token's claims give. */
export type GivenRole = { readonly role: Role; readonly project: string | null };

/** One rule: a claim that is, or contains, this value gives this role. */
export type RoleRule = z.output<typeof rule>;

const rule = z.strictObject({
  /** The claim; dots lead into objects, as in `realm_access.roles`. */
  claim: z.string().min(1).max(200),
  has: z.string().min(1).max(500),
  role: z.enum(roles),
  project: z.string().regex(namePattern).optional(),
});

/** Parses the file of `--oauth-roles`, or returns what is wrong with it. */
export function readRoles(text: string): readonly RoleRule[] | { readonly wrong: string } {
  const value = parsedJson(text);
  if (value === undefined) return { wrong: "it is not valid JSON" };
  const read = z.array(rule).min(1).max(500).safeParse(value);
  if (read.success) return read.data;
  return { wrong: `it must be a list of {"claim", "has", "role", "project"?}, with a role of ${roles.join(", ")}` };
}

/** The role of a token by the first rule that its claims match; without rules everyone is an agent. */
export function roleOfClaims(claims: JWTPayload, rules: readonly RoleRule[] | undefined): GivenRole | undefined {
  if (rules === undefined) return { role: "agent", project: null };
  const found = rules.find(({ claim, has }) => [claimAt(claims, claim)].flat().includes(has));
  return found === undefined ? undefined : { role: found.role, project: found.project ?? null };
}

function claimAt(claims: JWTPayload, path: string): unknown {
  // A namespaced claim such as https://example.com/roles has dots of its own.
  if (Object.hasOwn(claims, path)) return claims[path];
  return path
    .split(".")
    .reduce<unknown>((at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined), claims);
}
