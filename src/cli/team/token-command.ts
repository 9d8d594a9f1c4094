import { resolve } from "node:path";
import { openTeam } from "../../app/open-team-server.ts";
import { type Role, roles, type Team } from "../../engine/ports/team.ts";
import { hasToken } from "../../http/identity.ts";
import { makeToken, namePattern } from "../../http/token-record.ts";
import { countText } from "../../kit/count-text.ts";
import { alignColumns, print, printJson } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";

export type TokenOptions = { readonly root: string; readonly store?: string; readonly json?: true };
export type AddOptions = TokenOptions & { readonly role: string; readonly project?: string };

/** Creates a token and shows it once; only its hash is stored. */
export function addToken(name: string, options: AddOptions): Promise<void> {
  const { project = null } = options;
  checkName("A token name", name);
  if (project !== null) checkName("--project", project);
  const role = roles.find((one) => one === options.role);
  if (role === undefined) throw new UserError(`--role must be one of ${roles.join(", ")}.`);
  return withTeam(options, async ({ tokens }) => {
    const { secret, token } = makeToken({ name, role, project }, new Date());
    if (!(await tokens.add(token)))
      throw new UserError(`The token ${name} already exists. Revoke it with waymark token revoke ${name}.`);
    if (options.json === true) return printJson({ name, role, project, token: secret });
    print(`Token for ${name} (${described(role, project)}). It is shown only once; store it safely.`, secret);
  });
}

/** Lists the tokens, including revoked ones, without their secrets. */
export function listTokens(options: TokenOptions): Promise<void> {
  return withTeam(options, async ({ tokens }) => {
    const listed = await tokens.list();
    if (listed.unreadable > 0)
      process.stderr.write(
        `waymark: ${countText(listed.unreadable, "line")} of the token file cannot be read and will be ignored. Create missing tokens again with waymark token add.\n`,
      );
    const all = listed.tokens.map(({ hash: _, ...rest }) => rest);
    if (options.json === true) return printJson(all);
    if (!hasToken(listed)) return print("There are no tokens. On loopback addresses none is needed.");
    const rows = all.map(({ name, role, project, createdAt, revokedAt }) => [
      name,
      role,
      project ?? "all projects",
      createdAt,
      revokedAt === undefined ? "active" : `revoked ${revokedAt}`,
    ]);
    print(...alignColumns(rows));
  });
}

/** Revokes a token; it stops working within a second. */
export function revokeToken(name: string, options: TokenOptions): Promise<void> {
  return withTeam(options, async ({ tokens }) => {
    if (!(await tokens.revoke(name, new Date().toISOString())))
      throw new UserError(`There is no active token ${name}. List them with waymark token list.`);
    if (options.json === true) return printJson({ name, revoked: true });
    print(`Token ${name} is revoked.`);
  });
}

function described(role: Role, project: string | null): string {
  return `${role}, ${project === null ? "all projects" : `project ${project}`}`;
}

function checkName(what: string, name: string): void {
  if (!namePattern.test(name))
    throw new UserError(
      `${what} must be at most 64 letters, digits, ".", "_" or "-", starting with a letter or digit.`,
    );
}

async function withTeam(options: TokenOptions, work: (team: Team) => Promise<void>): Promise<void> {
  const { store = "" } = options;
  const team = await openTeam({ root: resolve(options.root), store });
  try {
    await work(team);
  } finally {
    await team.close();
  }
}
