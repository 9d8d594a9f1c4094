import { spawnSync } from "node:child_process";

/**
 * How the processes of a check are kept together: in a process namespace, which ends with its first process; by a
 * marker in their environment, which a process can take off; or as a process group, which a process can leave.
 */
export type Containment = "namespace" | "marker" | "group";

/** The way to contain a command on this machine: what is put before the supervisor, which then is the first in there. */
export type Container = { readonly kind: Containment; readonly before: readonly string[] };

/** Finds out, by trying, what this machine allows. */
export function findContainer(): Container {
  if (process.platform !== "linux") return { kind: "group", before: [] };
  const found = namespaces.find(([program, ...args]) => {
    const { status } = spawnSync(program, [...args, "true"], { stdio: "ignore", timeout: 5000 });
    return status === 0;
  });
  return found === undefined ? { kind: "marker", before: [] } : { kind: "namespace", before: found };
}

const alone = ["--pid", "--fork", "--kill-child=SIGKILL", "--mount-proc"] as const;

/** For who may, and for everybody else where the system lets them have a namespace of users. */
const namespaces = [
  ["unshare", ...alone],
  ["unshare", "--user", "--map-current-user", ...alone],
] as const;
