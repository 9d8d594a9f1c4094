import { resolve } from "node:path";
import { openTeam } from "../compose-team.ts";
import { hasToken } from "../http/identity.ts";
import { type Role, roles, type Team } from "../http/ports.ts";
import { makeToken, namePattern } from "../http/token-record.ts";
import { UserFault } from "./fault.ts";
import { inColumns, print, printJson } from "./print.ts";

export type TokenOptions = { readonly root: string; readonly store?: string; readonly json?: true };
export type AddOptions = TokenOptions & { readonly role: string; readonly project?: string };

/** Makes a token and shows it, once; what is kept of it does not give it away. */
export function addToken(name: string, options: AddOptions): Promise<void> {
  const { project = null } = options;
  checkName("The name of a token", name);
  if (project !== null) checkName("--project", project);
  const role = roles.find((one) => one === options.role);
  if (role === undefined) throw new UserFault(`--role must be one of ${roles.join(", ")}.`);
  return withTeam(options, async ({ tokens }) => {
    const { secret, token } = makeToken({ name, role, project }, new Date());
    if (!(await tokens.add(token)))
      throw new UserFault(`There is a token ${name} already. waymark token revoke ${name} takes it back.`);
    if (options.json === true) return printJson({ name, role, project, token: secret });
    print(
      `The token of ${name}: ${described(role, project)}. It is shown this once; keep it where only its bearer reads it.`,
      secret,
    );
  });
}

/** Lists the tokens there are and were; none of them can be shown again. */
export function listTokens(options: TokenOptions): Promise<void> {
  return withTeam(options, async ({ tokens }) => {
    const listed = await tokens.list();
    if (listed.unreadable > 0)
      process.stderr.write(
        `waymark: ${listed.unreadable} line(s) of the tokens cannot be read, and let nobody in: make anew what is missing here with waymark token add.\n`,
      );
    const all = listed.tokens.map(({ hash: _, ...rest }) => rest);
    if (options.json === true) return printJson(all);
    if (!hasToken(listed)) return print("There is no token: on this machine's own addresses nobody needs one.");
    const rows = all.map(({ name, role, project, createdAt, revokedAt }) => [
      name,
      role,
      project ?? "every project",
      createdAt,
      revokedAt === undefined ? "in force" : `revoked ${revokedAt}`,
    ]);
    print(...inColumns(rows));
  });
}

/** Takes a token back: within a second nobody gets in with it. */
export function revokeToken(name: string, options: TokenOptions): Promise<void> {
  return withTeam(options, async ({ tokens }) => {
    if (!(await tokens.revoke(name, new Date().toISOString())))
      throw new UserFault(`There is no token ${name} in force. waymark token list shows those there are.`);
    if (options.json === true) return printJson({ name, revoked: true });
    print(`The token ${name} is revoked.`);
  });
}

function described(role: Role, project: string | null): string {
  return `${role}, ${project === null ? "every project" : `project ${project}`}`;
}

function checkName(what: string, name: string): void {
  if (!namePattern.test(name))
    throw new UserFault(
      `${what} is made of letters, digits, ".", "_" and "-", at most 64, the first a letter or digit.`,
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
