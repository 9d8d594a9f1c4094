import { execFile } from "node:child_process";
import { readlink } from "node:fs/promises";

/**
 * How the processes of a check are kept together: in a process namespace, which ends with its first process; by a
 * marker in their environment, which a process can take off; or as a process group, which a process can leave.
 */
export type Containment = "namespace" | "marker" | "group";

/** The way to contain a command on this machine: what is put before its supervisor. */
export type Container = { readonly kind: Containment; readonly before: readonly string[] };

/** Finds out, by trying, what this machine allows. */
export async function findContainer(): Promise<Container> {
  if (process.platform !== "linux") return { kind: "group", before: [] };
  const ours = await readlink(namespaceOf("self")).catch(() => undefined);
  for (const before of namespaces) {
    const theirs = await answerOf([...before, "readlink", namespaceOf("self")]);
    if (ours !== undefined && theirs?.startsWith("pid:[") && theirs !== ours) return { kind: "namespace", before };
  }
  return { kind: "marker", before: [] };
}

/** The link that names the process namespace of a process. */
export function namespaceOf(pid: number | "self"): string {
  return `/proc/${pid}/ns/pid`;
}

function answerOf([program = "", ...args]: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { timeout: 5000, killSignal: "SIGKILL" }, (error, said) => {
      resolve(error === null ? said.trim() : undefined);
    });
    child.stdin?.end();
  });
}

/** Ends when whoever started it ends, however that is. */
const withParent = ["setpriv", "--pdeathsig", "KILL"];

/** The first process of a namespace is left everybody whose parent is gone, and must see them off: a shell does. */
const first = ["sh", "-c", '"$@"; exit $?', "sh"];

const alone = ["--pid", "--fork", "--kill-child=SIGKILL", "--mount-proc", ...first];

/** For who may have a namespace, and for everybody else where the system lets them have one of users besides. */
const namespaces: readonly (readonly string[])[] = [
  [...withParent, "unshare", ...alone],
  [...withParent, "unshare", "--user", "--map-current-user", ...alone],
  ["unshare", ...alone],
  ["unshare", "--user", "--map-current-user", ...alone],
  ["bwrap", "--unshare-user", "--unshare-pid", "--die-with-parent", "--dev-bind", "/", "/", "--proc", "/proc"],
];
