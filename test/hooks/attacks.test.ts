import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { answerHook } from "../../src/cli/work/hook.ts";
import { makeProject, type Project } from "../project.ts";
import { openWindow } from "../window.ts";
import { claudeSession, denialIn } from "./hook.ts";

/** A project with an open step that may change `src/` only, and one of the host's sessions that works at it. */
async function atWork(): Promise<Project> {
  const project = makeProject();
  project.write(".waymark/base_actions/gather_context/gate-definition.yaml", 'edits: ["src/**"]\n');
  for (const file of ["src/a.js", "lib/a.js", "lib/gone.js", "lib/still.js"]) project.write(file, "1");
  project.write("make.js", 'require("node:fs").writeFileSync("lib/made.js", "x");');
  project.write("still.js", 'require("node:fs").writeFileSync("lib/still.js", "x");');
  project.write(".gitignore", "*.log\n");
  symlinkSync("../lib", project.path("src/link"));
  const who = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"];
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    [...who, "commit", "-qm", "all"],
  ])
    execFileSync("git", args, { cwd: project.root, stdio: "ignore" });
  const window = await openWindow(project.root);
  await window.call("story_bot");
  await window.close();
  return project;
}

/** What an assistant with a shell does, and what becomes of it: rows of the table in docs/hosts.md. */
const commands: readonly (readonly [
  row: string,
  fate: "denied" | "noticed" | "unseen",
  ...lines: readonly string[],
])[] = [
  ["`>`, `>>`, `tee`", "denied", "echo x > lib/a.js", "ls | tee -a lib/a.js"],
  ["`cat > FILE <<EOF`", "denied", "cat > .waymark/x <<'EOF'\nx\nEOF", "cat <<EOF >lib/a.js\nx\nEOF"],
  ["`sed -i`, `perl -i`", "denied", "sed -i s/1/2/ lib/a.js", "perl -pi -e s/1/2/ lib/a.js"],
  [
    "`mv`, `cp`, `rm`, `touch`, `ln`",
    "denied",
    "mv src/a.js lib/b.js",
    "cp src/a.js lib/",
    "rm -f lib/a.js",
    "touch lib/n",
  ],
  ["`cd DIR && …`, `(cd DIR; …)`", "denied", "cd lib && echo x > a.js", "(cd src/..; echo x > workflow_state.json)"],
  [
    "absolute paths, `..`, links",
    "denied",
    "echo x > $ROOT/lib/a.js",
    "echo x > src/../lib/a.js",
    "echo x > src/link/a.js",
  ],
  [
    "`bash -c`, `eval`, `env`, `sudo`, `xargs`, `timeout`",
    "denied",
    "bash -lc 'echo x > lib/a.js'",
    "eval 'rm lib/a.js'",
    "env A=1 rm lib/a.js",
    "timeout 10 rm lib/a.js",
    "sudo -u root rm lib/a.js",
  ],
  [
    "`git checkout -- FILE`, `git restore`, `git rm`, `git mv`",
    "denied",
    "git checkout -- lib/a.js",
    "git restore lib/a.js",
  ],
  ["`rm -rf .`, `mv` of the project's folder", "denied", "rm -rf .", "mv ../$NAME /tmp/x"],
  [
    "a variable or a pattern that names `.waymark` or a state file",
    "denied",
    'echo x > "$PWD/.waymark/x"',
    "rm -f .waymark/*",
  ],
  ["code for `node -e`, `python -c` that names them and writes", "denied", `python3 -c "open('.waymark/x','w')"`],
  ["a script in a here-document: `sh <<EOF`", "denied", "sh <<'EOF'\necho x > lib/h.js\nEOF"],
  [
    "`git restore .`, `git checkout -- .`, `cp FILE .`",
    "denied",
    "git restore .",
    "git checkout -- .",
    "cp src/a.js .",
  ],
  [
    "a patch that is handed over: `patch`, `git apply`, `apply_patch` `<<EOF`",
    "denied",
    "git apply <<'EOF'\n--- a/lib/a.js\n+++ b/lib/a.js\nEOF",
  ],
  [
    "a path in a variable, a pattern",
    "noticed",
    "F=lib/new.js; echo x > $F",
    "for f in lib/*.js; do echo 3 > $f; done",
  ],
  [
    "code that writes: `node -e`, `python -c`, a script, a build",
    "noticed",
    "node make.js",
    `node -e "fs.writeFileSync('lib/e.js','')"`,
  ],
  [
    "another program that writes: `curl -o`, `tar`, `find -delete`, `rsync`",
    "noticed",
    "find lib -name gone.js -delete",
  ],
  [
    "`git commit` after it",
    "noticed",
    "node make.js && git add lib/made.js && git -c user.name=t -c user.email=t@e commit -qm x",
  ],
  ["a file that git ignores, written by code", "unseen", `node -e "fs.writeFileSync('ignored.log','')"`],
  [
    "`git update-index --assume-unchanged` before it",
    "unseen",
    "git update-index --assume-unchanged lib/still.js && node still.js",
  ],
  ["a file outside the project", "unseen", "echo x > ../$NAME.outside && rm ../$NAME.outside"],
];

const file = "lib/a.js";

/** An edit of `lib/a.js` as each host tells its hook of it. */
const uses: readonly (readonly [host: string, event: string, sent: Record<string, unknown>])[] = [
  ["claude", "PreToolUse", { tool_name: "MultiEdit", tool_input: { file_path: file, edits: [{}] } }],
  ["claude", "PreToolUse", { tool_name: "NotebookEdit", tool_input: { notebook_path: "lib/a.ipynb" } }],
  ["claude", "PreToolUse", { tool_name: "mcp__filesystem__write_file", tool_input: { path: file, content: "x" } }],
  [
    "codex",
    "PreToolUse",
    {
      tool_name: "apply_patch",
      tool_input: { command: `*** Begin Patch\n*** Update File: src/a.js\n*** Move to: ${file}\n*** End Patch` },
    },
  ],
  ["qwen", "PreToolUse", { tool_name: "notebook_edit", tool_input: { notebook_path: "lib/a.ipynb" } }],
  ["gemini", "BeforeTool", { tool_name: "replace", tool_input: { file_path: file, old_string: "1" } }],
  ["copilot", "preToolUse", { toolName: "edit", toolArgs: JSON.stringify({ path: file, old_str: "1" }) }],
  [
    "copilot",
    "preToolUse",
    { toolName: "apply_patch", toolArgs: `*** Begin Patch\n*** Delete File: ${file}\n*** End Patch` },
  ],
  [
    "opencode",
    "tool.execute.before",
    { tool: "patch", args: { patchText: `*** Begin Patch\n*** Add File: ${file}\n+x\n*** End Patch` } },
  ],
  ["opencode", "tool.execute.before", { tool: "multiedit", args: { filePath: file, edits: [] } }],
  ["cursor", "preToolUse", { tool_name: "Delete", tool_input: { path: file } }],
  [
    "vscode",
    "PreToolUse",
    { tool_name: "multi_replace_string_in_file", tool_input: { replacements: [{ filePath: file }] } },
  ],
  ["claude", "PreToolUse", { hookEventName: "PreToolUse", tool_name: "createFile", tool_input: { filePath: file } }],
];

it("each command is denied or passes as the table says, and what passed is said at the completion, file by file", async () => {
  const project = await atWork();
  const session = claudeSession(project, "attack");
  await session.tell("PreToolUse", { tool_name: "mcp__waymark__story_bot", tool_input: {} });
  for (const [, fate, ...lines] of commands)
    for (const line of lines) {
      const command = line.replace("$ROOT", project.root).replaceAll("$NAME", basename(project.root));
      const denial = denialIn(await session.tell("PreToolUse", { tool_name: "Bash", tool_input: { command } }));
      expect.soft(denial !== undefined, line).toBe(fate === "denied");
      if (fate !== "denied") execFileSync("bash", ["-c", command], { cwd: project.root });
    }
  const window = await openWindow(project.root);
  const said = (await window.call("complete_action", { confirmation: "yes" })).warnings.join();
  for (const file of ["lib/a.js", "lib/e.js", "lib/gone.js", "lib/made.js", "lib/new.js"]) expect(said).toContain(file);
  for (const file of ["ignored.log", "lib/still.js", ".outside"]) expect(said).not.toContain(file);
});

it.each(commands)("docs/hosts.md says so: %s", (row, fate) => {
  const docs = readFileSync(join(import.meta.dirname, "../../docs/hosts.md"), "utf8");
  const cells = docs.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  const told = { denied: ["denied", "–"], noticed: ["passes", "said"], unseen: ["passes", "not seen"] }[fate];
  expect(cells.find(([, first]) => first === row)?.slice(2, 4)).toEqual(told);
});

it("every host's own ways to edit are denied to a session that works here, and to no other", async () => {
  const project = await atWork();
  for (const [host, event, sent] of uses) {
    const tell = (name: string, more: Record<string, unknown>): Promise<string> =>
      answerHook(host, event, JSON.stringify({ cwd: project.root, session_id: name, ...more }));
    await tell("at work", {
      tool_name: "mcp__waymark__story_bot",
      tool: "waymark_story_bot",
      toolName: "waymark-story_bot",
    });
    expect.soft(await tell("at work", sent), JSON.stringify(sent)).toContain("is outside");
    expect.soft(await tell("hotfix", sent), JSON.stringify(sent)).toBe("{}");
  }
});

it("a file whose name begins with two dots lies in the project like any other: outside the edits it is denied", async () => {
  const project = await atWork();
  const session = claudeSession(project, "two dots");
  await session.tell("PreToolUse", { tool_name: "mcp__waymark__story_bot", tool_input: {} });
  const denialOf = async (file_path: string): Promise<string | undefined> =>
    denialIn(await session.tell("PreToolUse", { tool_name: "Write", tool_input: { file_path } }));
  for (const file of ["..notes.md", "..drafts/a.md"])
    expect.soft((await denialOf(file)) ?? "", file).toContain("is outside");
  expect(await denialOf(`../${basename(project.root)}.md`)).toBeUndefined();
});
