import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Ended, runCli } from "../command-line.ts";
import { actions, makeProject, type Project } from "../project.ts";
import { openWindow } from "../window.ts";

type Envelope = { payloadType: string; payload: string; signatures: { keyid: string; sig: string }[] };
type Statement = {
  _type: string;
  subject: { name: string; digest: { sha256: string } }[];
  predicateType: string;
  predicate: { walks: { workflow: string; finished: boolean; steps: Record<string, unknown>[] }[] };
};

const plan = "# Plan\n\nAs agreed.\n";

/** A behavior walked to its end, with a file handed in and a check passed. */
async function walked(): Promise<Project> {
  const project = makeProject();
  const gate = "checks:\n  - name: plan\n    file: docs/plan.md\n    headings: [Plan]\n";
  project.write("docs/plan.md", plan);
  project.write(".waymark/base_actions/render_output/gate-definition.yaml", gate);
  const window = await openWindow(project.root);
  for (const name of actions) {
    await window.call("shape_bot");
    const content = name === "build_knowledge" ? { content: [{ path: "docs/plan.md", text: plan }] } : {};
    await window.call("complete_action", { ...content, confirmation: "agreed, go on" });
  }
  await window.close();
  return project;
}

/** A folder outside of the project, with a pair of keys. */
async function keys(project: Project): Promise<{ folder: string; key: string; pub: string }> {
  const folder = mkdtempSync(join(tmpdir(), "waymark-keys-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const key = join(folder, "key");
  await runCli(["verify", "--root", project.root, "--new-key", key]);
  return { folder, key, pub: `${key}.pub` };
}

const exported = (project: Project, ...more: readonly string[]): Promise<Ended> =>
  runCli(["export", "--root", project.root, ...more]);

async function verified(project: Project, file: string, ...more: readonly string[]) {
  const ended = await runCli(["verify", "--root", project.root, "--json", "--attestation", file, ...more]);
  return { ...ended, data: ended.stdout === "" ? undefined : JSON.parse(ended.stdout).attestation };
}

function statementIn(file: string): Statement {
  const { payload }: Envelope = JSON.parse(readFileSync(file, "utf8"));
  return JSON.parse(Buffer.from(payload, "base64").toString("utf8"));
}

describe("an attestation", () => {
  test("states the files on record, the walk, what judged it, its checks and the words of people, and is read back", async () => {
    const project = await walked();
    const { folder, key, pub } = await keys(project);
    const said = await exported(project, "--attestation", "shape", "--sign", key, "--out", folder);
    expect(said).toMatchObject({ code: 0, stdout: expect.stringContaining("5 steps completed") });
    const file = join(folder, "attestation.json");
    const statement = statementIn(file);
    expect(statement._type).toBe("https://in-toto.io/Statement/v1");
    expect(statement.subject).toContainEqual({
      name: "docs/plan.md",
      digest: { sha256: createHash("sha256").update(plan).digest("hex") },
    });
    const [walk] = statement.predicate.walks;
    expect(walk).toMatchObject({ workflow: "shape", finished: true });
    expect(walk?.steps[3]).toMatchObject({
      step: "render_output",
      judged_by: expect.stringMatching(/^v1:gate=/),
      word: { level: "relayed", text: "agreed, go on" },
      checks: [{ name: "plan", status: "passed" }],
    });
    const read = await verified(project, file, "--key", pub);
    expect([read.code, read.data]).toEqual([
      0,
      expect.objectContaining({ holds: true, signature: "holds", problems: [] }),
    ]);
    const text = await runCli(["verify", "--root", project.root, "--attestation", file]);
    expect([text.code, text.stdout]).toEqual([0, expect.stringContaining("its signature was not checked")]);
  });

  test.skipIf(spawnSync("openssl", ["version"]).status !== 0)("is verified by openssl as well", async () => {
    const project = await walked();
    const { folder, key, pub } = await keys(project);
    await exported(project, "--attestation", "--sign", key, "--out", folder);
    const { payloadType, payload, signatures }: Envelope = JSON.parse(
      readFileSync(join(folder, "attestation.json"), "utf8"),
    );
    const body = Buffer.from(payload, "base64");
    expect(payloadType).toBe("application/vnd.in-toto+json");
    writeFileSync(
      join(folder, "signed"),
      Buffer.concat([Buffer.from(`DSSEv1 28 ${payloadType} ${body.length} `), body]),
    );
    writeFileSync(join(folder, "sig"), Buffer.from(signatures[0]?.sig ?? "", "base64"));
    const words = [
      "pkeyutl",
      "-verify",
      "-pubin",
      "-inkey",
      pub,
      "-rawin",
      "-in",
      join(folder, "signed"),
      "-sigfile",
      join(folder, "sig"),
    ];
    expect(execFileSync("openssl", words, { encoding: "utf8" })).toContain("Signature Verified Successfully");
  });

  test("without a key is a bare statement for another's signer; where a key is given it does not count", async () => {
    const project = await walked();
    const { folder, pub } = await keys(project);
    expect(await exported(project, "--attestation", "--out", folder)).toMatchObject({ code: 0 });
    const file = join(folder, "statement.json");
    expect(await verified(project, file)).toMatchObject({ code: 0, data: { signature: "not signed", holds: true } });
    expect(await verified(project, file, "--key", pub)).toMatchObject({
      code: 1,
      data: { problems: ["it is not signed"] },
    });
    const { stdout } = await exported(project, "--attestation", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ predicateType: "urn:waymark:walk:v1" });
  });

  test("holds while the history goes on, and says what has been reopened since", async () => {
    const project = await walked();
    const { folder } = await keys(project);
    await exported(project, "--attestation", "--out", folder);
    await runCli(["back", "validate_rules", "--root", project.root, "--behavior", "shape"]);
    const { code, data } = await verified(project, join(folder, "statement.json"));
    expect([code, data.notes]).toEqual([
      0,
      expect.arrayContaining(["shape in story_bot: validate_rules has been reopened since"]),
    ]);
  });

  test("is not made of what is not there, nor signed with a key that lies in the project or is none", async () => {
    const project = await walked();
    const refused = async (...words: readonly string[]) => (await exported(project, ...words)).stderr;
    expect(await refused("--attestation", "discovery")).toContain("nothing to attest");
    expect(await refused("--attestation", "--sign", project.path("docs/plan.md"))).toContain(
      "Keep the private key somewhere else",
    );
    expect(await refused("--attestation", "--sign", import.meta.filename)).toContain("contains no usable private key");
    expect(await refused("--sign", "key")).toContain("need --attestation");
  });
});
