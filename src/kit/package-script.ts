/** The script a package manager command line names, if any. */
export function scriptOf([program = "", ...args]: readonly string[]): string | undefined {
  if (!/(?:^|[/\\])(?:npm|pnpm|yarn|bun)(?:\.cmd)?$/.test(program)) return undefined;
  const words = args.filter((one) => !one.startsWith("-"));
  const [first, second] = words;
  if (first === "run" || first === "run-script" || first === "rum" || first === "urn") return second;
  if (first === "t" || first === "tst") return "test";
  const isOther = first === undefined || notScripts.includes(first);
  return isOther ? undefined : first;
}

/** Tells if a command line goes through a package manager or a runner of scripts, by any word of it. */
export function usesPackageManager(run: readonly string[]): boolean {
  const words = run.flatMap((part) => part.split(/[\s;&|()"'`$]+/));
  return words.some((word) => managers.test(word));
}

const names =
  "npm npx pnpm pnpx pn yarn yarnpkg bunx? corepack deno n[ri] turbo nx lerna rush lage (?:npm|npx|yarn|pnpm)-cli " +
  "cargo cross go mvnw? gradlew? uvx? poetry pipenv pdm hatch tox nox bundle composer g?make just task";
const managers = new RegExp(`(?:^|[/\\\\])(?:${names.replaceAll(" ", "|")})(?:\\.(?:cmd|bat|exe|ps1|[cm]?js))?$`, "i");

const notScripts = [
  "exec",
  "x",
  "dlx",
  "ci",
  "install",
  "i",
  "add",
  "audit",
  "pack",
  "publish",
  "node",
  "create",
  "init",
];
