import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { NotifyTarget } from "../../engine/ports/notice-queue.ts";
import { readProjects } from "../../http/projects-file.ts";
import { post, targetName } from "../../notify/post.ts";
import { paint, print, printJson } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";
import { type PlaceOptions, workplaceFor } from "../terminal/workplace-options.ts";

export type NotifyOptions = PlaceOptions & {
  readonly test?: true;
  readonly projects?: string;
  readonly json?: true;
};

/** Lists the webhooks, or sends each a test; exits 1 if one did not take it. */
export async function notify(options: NotifyOptions): Promise<void> {
  const listed = await targetsOf(options);
  if (listed.length === 0)
    throw new UserError("No webhooks are configured. Add notify to config.json, or to the projects file of a server.");
  const results = await Promise.all(
    listed.map(async ({ project, target, isTrusted }) => {
      const shown = { project, to: targetName(target), format: target.format, trusted: isTrusted };
      if (options.test !== true || !isTrusted) return shown;
      const at = new Date().toISOString();
      const why = await post(target, { event: "test", id: `${randomUUID()}.test`, at, project });
      return { ...shown, sent: why === undefined, ...(why === undefined ? {} : { reason: why }) };
    }),
  );
  const isFailed = options.test === true && results.some((one) => !("sent" in one && one.sent));
  if (isFailed) process.exitCode = 1;
  if (options.json === true) return printJson(results);
  for (const one of results) {
    const { project, to, format, trusted } = one;
    const state = !trusted
      ? paint("yellow", "not trusted on this machine: run waymark trust")
      : !("sent" in one)
        ? "trusted"
        : one.sent
          ? paint("green", "sent")
          : paint("red", `not sent: ${"reason" in one ? one.reason : ""}`);
    print(`${project}: ${to} (${format}): ${state}`);
  }
}

type ListedTarget = { readonly project: string; readonly target: NotifyTarget; readonly isTrusted: boolean };

async function targetsOf(options: NotifyOptions): Promise<readonly ListedTarget[]> {
  if (options.projects !== undefined) {
    const read = readProjects(readProjectsFile(options.projects));
    if ("wrong" in read) throw new UserError(`--projects ${options.projects} is not valid: ${read.wrong}.`);
    return read.flatMap(({ name, notify: targets = [] }) =>
      targets.map((target) => ({ project: name, target, isTrusted: true })),
    );
  }
  const workplace = workplaceFor(options);
  try {
    const { configured, trusted } = await workplace.notices.listed();
    const project = options.project ?? basename(resolve(options.root));
    return configured.map((target) => ({ project, target, isTrusted: trusted.includes(target) }));
  } finally {
    workplace.close();
  }
}

function readProjectsFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new UserError(`--projects ${file} cannot be read.`);
  }
}
