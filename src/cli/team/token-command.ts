import { resolve } from "node:path";
import { openTeam } from "../../app/open-team-server.ts";
import { type Role, roles, type Team, type Token } from "../../engine/ports/team.ts";
import { hasToken } from "../../http/identity.ts";
import { makeToken, namePattern } from "../../http/token-record.ts";
import { countText } from "../../kit/count-text.ts";
import { defined } from "../../kit/defined.ts";
import { secondsIn } from "../../kit/duration.ts";
import { localTime } from "../../kit/local-time.ts";
import { alignColumns, print, printJson } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";

export type TokenOptions = { readonly root: string; readonly store?: string; readonly json?: true };
export type AddOptions = TokenOptions & { readonly role: string; readonly project?: string; readonly expires?: string };
export type RevokeOptions = TokenOptions & { readonly older?: true };

/** Creates a token and shows it once; only its hash is stored. */
export function addToken(name: string, options: AddOptions): Promise<void> {
  const { project = null } = options;
  checkName("A token name", name);
  if (project !== null) checkName("--project", project);
  const role = roles.find((one) => one === options.role);
  if (role === undefined) throw new UserError(`--role must be one of ${roles.join(", ")}.`);
  const seconds = options.expires === undefined ? undefined : secondsIn(options.expires);
  if (options.expires !== undefined && (seconds === undefined || seconds <= 0))
    throw new UserError("--expires must be a duration, such as 90d or 12h.");
  return withTeam(options, async ({ tokens }) => {
    const now = new Date();
    const listed = (await tokens.list()).tokens;
    // One that has expired does not keep its name from the next.
    for (const { hash, expiresAt: end, revokedAt, name: own } of listed)
      if (own === name && revokedAt === undefined && end !== undefined && Date.parse(end) <= now.getTime())
        await tokens.revoke(name, now.toISOString(), hash);
    const [before] = activeOf(name, listed, now);
    if (before !== undefined && (before.role !== role || before.project !== project))
      throw new UserError(
        `There is a token ${name} for ${described(before.role, before.project)}. A second one of the same name must be for the same.`,
      );
    const expiresAt = seconds === undefined ? undefined : new Date(now.getTime() + seconds * 1000).toISOString();
    const follows = before === undefined ? undefined : (before.follows ?? before.hash);
    const { secret, token } = makeToken({ name, role, project, ...defined({ expiresAt, follows }) }, now);
    if (!(await tokens.add(token)))
      throw new UserError(
        `There are already two tokens ${name}. Revoke the older one with waymark token revoke ${name} --older.`,
      );
    if (options.json === true) return printJson({ name, role, project, token: secret, ...defined({ expiresAt }) });
    const until = expiresAt === undefined ? "" : `, until ${localTime(expiresAt)}`;
    print(`Token for ${name} (${described(role, project)}${until}). It is shown only once; store it safely.`, secret);
    if (before !== undefined)
      print(`The earlier token ${name} still works. Once this one is in use: waymark token revoke ${name} --older`);
  });
}

/** Lists the tokens, including revoked ones, without their secrets. */
export function listTokens(options: TokenOptions): Promise<void> {
  return withTeam(options, async ({ tokens, sightings }) => {
    const [listed, uses] = await Promise.all([tokens.list(), sightings.list("token")]);
    const lastUse = new Map(uses.map(({ name, at }) => [name, at]));
    if (listed.unreadable > 0)
      process.stderr.write(
        `waymark: ${countText(listed.unreadable, "line")} of the token file cannot be read and will be ignored. Create missing tokens again with waymark token add.\n`,
      );
    const all = listed.tokens.map(({ hash, follows, ...rest }) => ({ ...rest, lastUsedAt: lastUse.get(hash) ?? null }));
    if (options.json === true) return printJson(all);
    if (!hasToken(listed)) return print("There are no tokens. On loopback addresses none is needed.");
    const rows = all.map(({ name, role, project, createdAt, revokedAt, expiresAt, lastUsedAt }) => [
      name,
      role,
      project ?? "all projects",
      localTime(createdAt),
      revokedAt !== undefined ? `revoked ${localTime(revokedAt)}` : stateOf(expiresAt),
      lastUsedAt === null ? "never used" : `last used ${localTime(lastUsedAt)}`,
    ]);
    print(...alignColumns(rows));
  });
}

/** Revokes the tokens of a name, or only the older one; they stop working within a second. */
export function revokeToken(name: string, options: RevokeOptions): Promise<void> {
  return withTeam(options, async ({ tokens }) => {
    const now = new Date();
    const active = activeOf(name, (await tokens.list()).tokens, now);
    const [older] = options.older === true && active.length > 1 ? active : [];
    if (options.older === true && older === undefined)
      throw new UserError(
        `There is only one active token ${name}, so none is older. Revoke it with waymark token revoke ${name}.`,
      );
    if (!(await tokens.revoke(name, now.toISOString(), older?.hash)))
      throw new UserError(`There is no active token ${name}. List them with waymark token list.`);
    if (options.json === true) return printJson({ name, revoked: true });
    print(`Token ${name} is revoked.`);
  });
}

/** The tokens of a name that work, the older first. */
function activeOf(name: string, all: readonly Token[], now: Date): readonly Token[] {
  const isActive = ({ revokedAt, expiresAt }: Token): boolean =>
    revokedAt === undefined && (expiresAt === undefined || now.getTime() < Date.parse(expiresAt));
  return all
    .filter((token) => token.name === name && isActive(token))
    .sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
}

function stateOf(expiresAt: string | undefined): string {
  if (expiresAt === undefined) return "active";
  return Date.parse(expiresAt) > Date.now()
    ? `active until ${localTime(expiresAt)}`
    : `expired ${localTime(expiresAt)}`;
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
