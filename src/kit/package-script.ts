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
