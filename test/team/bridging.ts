import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { openBridge } from "../../src/app/open-bridge.ts";
import { type Project, projectAt } from "../project.ts";
import { provingGate, provingProject, runner } from "../proving.ts";
import { commitAll, git } from "../repository.ts";
import { type Answer, connect, type Window, type WindowOptions } from "../window.ts";

/** A folder of files that no definitions stand in, as an assistant works in when its server is elsewhere. */
export function workTree(plan: object): Project {
  const root = mkdtempSync(join(tmpdir(), "waymark-work-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const tree = projectAt(root);
  tree.write("run-tests.cjs", runner.replace(".waymark/runs.txt", "runs.txt"));
  tree.write("plan.json", plan);
  tree.write(".gitignore", "reports/\nruns.txt\n");
  git(root, "init", "-q", "-b", "main");
  commit(tree);
  return tree;
}

/** Completes a step and sends the same again while its checks run, as an assistant does, however slow the machine is. */
export async function completed(window: Window, args: Record<string, unknown>): Promise<Answer> {
  for (;;) {
    const answer = await window.call("complete_action", args);
    if (answer.status !== "checking") return answer;
  }
}

/** Commits everything. */
export function commit({ root }: Project): string {
  commitAll(root, "work", "--allow-empty");
  return git(root, "rev-parse", "HEAD").trim();
}

/** How often the check was run in a work tree. */
export function ranIn(tree: Project): number {
  try {
    return tree.read("runs.txt").trim().split("\n").length;
  } catch {
    return 0;
  }
}

/** The definitions of a server: the first action is proved by a check. */
export function serverProject(gate = provingGate): Project {
  return provingProject({ passed: 0 }, gate);
}

/** A window through a bridge in this process, whose work tree is `area`. */
export async function openBridged(
  url: string,
  area: Project,
  { token, ...options }: WindowOptions & { readonly token?: string } = {},
): Promise<Window & { said: () => string }> {
  let said = "";
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const bridge = await openBridge({
    url: new URL(url),
    area: area.root,
    token: async () => token,
    report: (line) => {
      said += `${line}\n`;
    },
    near: theirs,
    ...(token === undefined ? {} : { authProvider: { token: async () => token } }),
  });
  const window = await connect(ours, options);
  onTestFinished(async () => {
    await window.close();
    await bridge.close();
  });
  return { ...window, said: () => said };
}
