import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";
import * as z from "zod/v4";
import { listApprovers, machineTrustedApprovers } from "../src/app/list-approvers.ts";
import { openWorkplace } from "../src/app/open-workplace.ts";
import { enrolPage } from "../src/dashboard/api/pages/enrol-page.ts";
import { openPages } from "../src/dashboard/api/pages/pages.ts";
import { reviewPage } from "../src/dashboard/api/pages/review-page.ts";
import type { ApproverCandidate } from "../src/dashboard/api/pages/review-page-deps.ts";
import type { SignedStatement } from "../src/gates/approval-statement.ts";
import type { Approver } from "../src/people/approver.ts";
import { addApprover } from "../src/people/approvers-file.ts";
import { waymark } from "./command-line.ts";
import { makeProject, type Project } from "./project.ts";
import { gateFile } from "./proving.ts";

/** A project whose first action needs the proven word of dana. */
export function provenProject(): Project {
  const project = makeProject();
  project.write(gateFile, "approval: {level: proven, by: [dana]}\n");
  return project;
}

/** A command that serves a page: where that is, and what it says until it ends. */
export type Serving = { readonly url: Promise<string>; readonly ended: Promise<string> };

/** Runs a command as it was built, until it ends by itself or the test is over. */
export function serves(args: readonly string[]): Serving {
  const child = spawn(process.execPath, [waymark, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  const url = new Promise<string>((found, fail) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on("line", (line) => {
        said += `${line}\n`;
        const [address] = /http:\/\/localhost:\S+/.exec(line) ?? [];
        if (address !== undefined) found(address);
      });
    child.once("close", () => fail(new Error(`No page was served: ${said}`)));
  });
  url.catch(() => undefined);
  return { url, ended: new Promise((done) => child.once("close", () => done(said))) };
}

/** Everybody whom a project names. */
export async function candidatesOf({
  root,
}: Pick<Project, "root">): Promise<readonly (ApproverCandidate & { place: string })[]> {
  const listed = await listApprovers({ definitions: join(root, ".waymark"), areas: [root] });
  if ("problem" in listed) throw new Error(listed.problem);
  return listed;
}

/** Trusts everybody whom a project names, as a person would at a terminal. */
export async function trustAll(project: Pick<Project, "root">): Promise<readonly Approver[]> {
  const listed = await candidatesOf(project);
  for (const { approver, place } of listed) {
    const { name, key } = approver;
    await machineTrustedApprovers([project.root]).decide({
      word: "yes",
      name,
      key,
      place,
      at: new Date().toISOString(),
    });
  }
  return listed.map(({ approver }) => approver);
}

/** A page on which what waits in a project is judged, served by this process. */
export async function judgingPage(project: Pick<Project, "root">) {
  const workplace = openWorkplace({ root: project.root });
  const pages = openPages((fault) => {
    throw fault;
  });
  onTestFinished(async () => {
    await pages.close();
    workplace.close();
  });
  const engine = await workplace.engine("story_bot");
  const waiting = (await engine.submissions()).find(({ waits }) => waits !== undefined);
  if (waiting === undefined) throw new Error("Nothing waits.");
  const answers: SignedStatement[] = [];
  const matter = reviewPage({
    engine,
    ref: waiting.ref,
    project: "tea-shop",
    caller: { id: "page" },
    candidates: () => candidatesOf(project),
    clock: () => new Date(),
    answered: (_, signed) => void answers.push(signed),
  });
  const { url } = await pages.open(matter);
  return { url, token: new URL(url).hash.slice(1), origin: new URL(url).origin, engine, answers, ref: waiting.ref };
}

/** The statements that are on record with their proofs. */
export async function signedIn({ root }: Pick<Project, "root">): Promise<readonly SignedStatement[]> {
  const workplace = openWorkplace({ root });
  onTestFinished(() => workplace.close());
  const signed: SignedStatement[] = [];
  for (const { log } of await workplace.logs())
    for await (const { events } of log.records({ kind: "bot", name: "story_bot" }))
      for (const event of events)
        if ((event.type === "approved" || event.type === "declined") && event.signed !== undefined)
          signed.push(event.signed);
  return signed;
}

/** Makes a passkey for somebody on a page of this process, and trusts it. */
export async function enrolOn(page: Page, { root }: Pick<Project, "root">, name: string): Promise<Approver> {
  const pages = openPages(() => undefined);
  const keep = (approver: Approver) => addApprover(join(root, ".waymark"), approver);
  const { url } = await pages.open(enrolPage({ name, project: "tea-shop", known: [], clock: () => new Date(), keep }));
  await page.goto(url);
  await page.getByRole("button", { name: "Create passkey" }).click();
  await page.getByRole("heading", { name: "Enrolled" }).waitFor();
  await pages.close();
  const approver = (await trustAll({ root })).find((one) => one.name === name);
  if (approver === undefined) throw new Error(`${name} is not enrolled.`);
  return approver;
}

/** Asks a page's server as its own page would, but for the headers that are given. */
export async function asked(
  { origin, token }: { readonly origin: string; readonly token: string },
  what: string,
  data?: unknown,
  headers: Record<string, string> = {},
): Promise<{ readonly status: number; readonly data: Record<string, unknown> }> {
  const own = { authorization: `Bearer ${token}`, "content-type": "application/json", "sec-fetch-site": "same-origin" };
  const answer = await fetch(`${origin}/api/${what}`, {
    method: data === undefined ? "GET" : "POST",
    headers: { ...own, origin, ...headers },
    ...(data === undefined ? {} : { body: JSON.stringify(data) }),
  });
  return { status: answer.status, data: z.record(z.string(), z.unknown()).parse(await answer.json()) };
}
