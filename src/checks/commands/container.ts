import { execFile } from "node:child_process";
import { readlink } from "node:fs/promises";

/**
 * The way a check's processes are contained: in a process namespace, by a marker in the environment (which a process can remove), or as a
 * process group (which a process can leave).
 */
export type Containment = "namespace" | "marker" | "group";

/** The containment available on this machine: the command prefix for its supervisor. */
export type Container = { readonly kind: Containment; readonly before: readonly string[] };

/** Finds by trying what this machine allows. */
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

/** Exits when its parent does, however the parent ends. */
const withParent = ["setpriv", "--pdeathsig", "KILL"];

/** The first process of a namespace must reap orphans; a shell does. */
const first = ["sh", "-c", '"$@"; exit $?', "sh"];

const alone = ["--pid", "--fork", "--kill-child=SIGKILL", "--mount-proc", ...first];

/** With privileges, and without them where the system allows user namespaces. */
const namespaces: readonly (readonly string[])[] = [
  [...withParent, "unshare", ...alone],
  [...withParent, "unshare", "--user", "--map-current-user", ...alone],
  ["unshare", ...alone],
  ["unshare", "--user", "--map-current-user", ...alone],
  ["bwrap", "--unshare-user", "--unshare-pid", "--die-with-parent", "--dev-bind", "/", "/", "--proc", "/proc"],
];
