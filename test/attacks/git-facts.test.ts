import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeProject, type Project } from "../project.ts";
import { gateFile } from "../proving.ts";
import { commitAll, git } from "../repository.ts";
import { oneOf } from "../whole.ts";
import { openWindow, type Window } from "../window.ts";

/** A committed project whose first action has git facts to meet. */
function repository(facts: string, edits?: readonly string[]): Project {
  const project = makeProject();
  const named = edits === undefined ? "" : `edits: ${JSON.stringify(edits)}\n`;
  project.write(gateFile, `${named}checks:\n  - {name: committed, git: ${facts}}\n`);
  project.write(".gitignore", "workflow_state.json\nactivity_log.json\n.waymark/journal/\nbuild/\n");
  project.write("src/a.js", "good\n");
  project.write("src/b.js", "good\n");
  commitAll(project.root, "start");
  return project;
}

async function opened(project: Project): Promise<Window> {
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  return window;
}

const complete = async (window: Window): Promise<string> => {
  const answer = await window.call("complete_action", { confirmation: "yes" });
  return answer.isError === true ? (answer.checks?.[0]?.summary ?? String(answer.message)) : "completed";
};

/** A script that leaves a mark where it is run. */
function trap(project: Project): { readonly script: string; hasRun(): boolean } {
  const folder = mkdtempSync(join(tmpdir(), "waymark-trap-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [script, mark] = [join(folder, "trap.sh"), join(folder, "ran")];
  writeFileSync(script, `#!/bin/sh\ntouch ${mark}\ncat\n`);
  chmodSync(script, 0o755);
  expect(existsSync(project.root)).toBe(true);
  return { script, hasRun: () => existsSync(mark) };
}

function addSubmodule(project: Project): string {
  const other = mkdtempSync(join(tmpdir(), "waymark-module-"));
  onTestFinished(() => rmSync(other, { recursive: true }));
  git(other, "init", "-q", "-b", "main");
  writeFileSync(join(other, "lib.js"), "good\n");
  commitAll(other, "lib");
  git(project.root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", other, "lib");
  git(project.root, "commit", "-q", "-am", "lib");
  return project.path("lib");
}

/** Ways to change the work tree and have git call it clean. */
const hidden: readonly (readonly [string, string, (project: Project) => void])[] = [
  [
    "an assume-unchanged file",
    "src/a.js",
    (p) => {
      git(p.root, "update-index", "--assume-unchanged", "src/a.js");
      p.write("src/a.js", "bad\n");
    },
  ],
  [
    "a skip-worktree file",
    "src/a.js",
    (p) => {
      git(p.root, "update-index", "--skip-worktree", "src/a.js");
      p.write("src/a.js", "bad\n");
    },
  ],
  [
    "a file named in info/exclude",
    "src/new.js",
    (p) => {
      appendFileSync(p.path(".git/info/exclude"), "src/new.js\n");
      p.write("src/new.js", "bad");
    },
  ],
  [
    "a file named in core.excludesFile",
    "src/new.js",
    (p) => {
      writeFileSync(p.path(".git/hide"), "src/new.js\n");
      git(p.root, "config", "core.excludesFile", p.path(".git/hide"));
      p.write("src/new.js", "bad");
    },
  ],
  [
    "another work tree in core.worktree",
    "src/a.js",
    (p) => {
      const copy = mkdtempSync(join(tmpdir(), "waymark-copy-"));
      onTestFinished(() => rmSync(copy, { recursive: true }));
      git(p.root, "worktree", "add", "-q", "--detach", join(copy, "tree"));
      git(p.root, "config", "core.worktree", join(copy, "tree"));
      p.write("src/a.js", "bad\n");
    },
  ],
  ["a .waymark folder further in", "src/.waymark/new.js", (p) => p.write("src/.waymark/new.js", "bad")],
  [
    "a file the index no longer has, which an exclude names",
    "src/a.js",
    (p) => {
      git(p.root, "rm", "-q", "--cached", "src/a.js");
      appendFileSync(p.path(".git/info/exclude"), "src/a.js\n");
    },
  ],
  [
    "an ignore file that hides itself",
    "src/more/.gitignore",
    (p) => {
      p.write("src/more/.gitignore", "*\n");
      p.write("src/more/new.js", "bad");
    },
  ],
  [
    "a replaced commit",
    "src/a.js",
    (p) => {
      p.write("src/a.js", "bad\n");
      git(p.root, "add", "-A");
      const tree = git(p.root, "write-tree").trim();
      const head = git(p.root, "rev-parse", "HEAD").trim();
      const fake = git(p.root, "commit-tree", tree, "-m", "fake").trim();
      git(p.root, "replace", head, fake);
    },
  ],
  [
    "a linked folder in the place of a tracked one",
    "src/a.js",
    (p) => {
      p.write("build/src/a.js", "good\n");
      p.write("build/src/b.js", "good\n");
      p.remove("src");
      symlinkSync("build/src", p.path("src"));
    },
  ],
  [
    "a file made a program while core.fileMode is off",
    "src/a.js",
    (p) => {
      git(p.root, "config", "core.fileMode", "false");
      chmodSync(p.path("src/a.js"), 0o755);
    },
  ],
  [
    "an encoding named in info/attributes",
    "src/a.js",
    (p) => {
      writeFileSync(p.path(".git/info/attributes"), "*.js working-tree-encoding=UTF-16\n");
      writeFileSync(p.path("src/a.js"), Buffer.from("\ufeffgood\n", "utf16le"));
    },
  ],
  [
    "an index written by hand, with the looks of the changed file",
    "src/a.js",
    (p) => {
      const blob = git(p.root, "rev-parse", "HEAD:src/a.js").trim();
      p.write("src/a.js", "bad!\n");
      git(p.root, "config", "filter.same.clean", "echo good");
      writeFileSync(p.path(".git/info/attributes"), "*.js filter=same\n");
      git(p.root, "update-index", "src/a.js");
      expect(git(p.root, "ls-files", "-s", "src/a.js")).toContain(blob);
      expect(git(p.root, "status", "--porcelain")).toBe("");
    },
  ],
  [
    "a folder whose .git names the project's own",
    "src/more/new.js",
    (p) => {
      p.write("src/more/new.js", "bad");
      p.write("src/more/.git", `gitdir: ${p.path(".git")}\n`);
    },
  ],
  [
    "a repository begun in a tracked folder",
    "src/new.js",
    (p) => {
      git(p.path("src"), "init", "-q");
      p.write("src/new.js", "bad");
    },
  ],
  [
    "a pipe in the place of a file",
    "src/a.js",
    (p) => {
      p.remove("src/a.js");
      execFileSync("mkfifo", [p.path("src/a.js")]);
    },
  ],
  [
    "a new file where core.bare says that there is no work tree",
    "src/new.js",
    (p) => {
      git(p.root, "config", "core.bare", "true");
      p.write("src/new.js", "bad");
    },
  ],
  [
    "a replaced blob",
    "src/a.js",
    (p) => {
      const blob = git(p.root, "rev-parse", "HEAD:src/a.js").trim();
      p.write("src/a.js", "bad\n");
      git(p.root, "replace", blob, git(p.root, "hash-object", "-w", "src/a.js").trim());
    },
  ],
  [
    "the committed ignore file made a link to one that ignores everything",
    "src/new.js",
    (p) => {
      p.write("build/all", "*\n");
      p.remove(".gitignore");
      symlinkSync("build/all", p.path(".gitignore"));
      p.write("src/new.js", "bad");
    },
  ],
  [
    "a linked file with the same content",
    "src/a.js",
    (p) => {
      p.write("build/a.js", "good\n");
      p.remove("src/a.js");
      symlinkSync("../build/a.js", p.path("src/a.js"));
    },
  ],
  [
    "a folder that is a repository of its own",
    "src/more/new.js",
    (p) => {
      p.write("src/more/new.js", "bad");
      git(p.path("src/more"), "init", "-q");
    },
  ],
];

// Attack (shell): Have git call a changed tree clean: index flags, excludes, filters, encodings, replaced objects, `core.worktree`, `core.bare`, repositories inside, submodules, links, pipes
// -> Refused: Waymark compares every file with the commit itself
describe("with a shell kept inside the project: `clean` does not pass on a tree that is not", () => {
  test.each(oneOf(4, hidden))("%s", async (_what, path, change) => {
    const project = repository("{clean: true}");
    const window = await opened(project);
    change(project);
    expect(await complete(window)).toContain(path);
  });

  test("a submodule with changes, with files of its own, or at another commit", async () => {
    const project = repository("{clean: true}");
    const module = addSubmodule(project);
    git(project.root, "config", "submodule.lib.ignore", "all");
    const window = await opened(project);
    writeFileSync(join(module, "lib.js"), "bad\n");
    expect(await complete(window)).toBe("not committed: lib/lib.js");
    writeFileSync(join(module, "lib.js"), "good\n");
    writeFileSync(join(module, "new.js"), "bad\n");
    expect(await complete(window)).toBe("not committed: lib/new.js");
    commitAll(module, "new");
    expect(await complete(window)).toBe("not committed: lib");
    git(module, "checkout", "-q", "HEAD~1");
    expect(await complete(window)).toBe("completed");
  });
});

test("`clean` passes where all is committed: ignored files, links, programs, CRLF, a large file kept by LFS, an empty submodule", async () => {
  const project = repository("{clean: true}");
  addSubmodule(project);
  project.write("build/out.js", "made");
  project.write("run.sh", "echo\n");
  chmodSync(project.path("run.sh"), 0o755);
  symlinkSync("src/a.js", project.path("link.js"));
  const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:";
  const hash = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
  project.write("large.bin", `${pointer}${hash}\nsize 5\n`);
  project.write("dos.txt", "one\ntwo\n");
  commitAll(project.root, "more");
  project.write("large.bin", "hello");
  project.write("dos.txt", "one\r\ntwo\r\n");
  git(project.root, "submodule", "deinit", "-q", "-f", "lib");
  expect(await complete(await opened(project))).toBe("completed");
});

// Attack (shell): Pass `commits_since_start` without a commit: dates, amended or replaced commits, grafts, a new history
// -> Refused: counted from the recorded commit
describe("with a shell kept inside the project: `commits_since_start` counts no commit that was not made since", () => {
  const dated = (project: Project, ...words: readonly string[]): void => {
    git(project.root, "-c", "user.useConfigOnly=false", "commit", "-q", "--allow-empty", "-m", "x", ...words);
  };
  const refused: readonly (readonly [string, (project: Project) => void, ((project: Project) => void)?])[] = [
    ["none", () => {}],
    [
      "the last one amended",
      (p) =>
        void git(p.root, "commit", "-q", "--amend", "--allow-empty", "-m", "again", "--date", "2099-01-01T00:00:00Z"),
    ],
    [
      "a commit dated in the future before it began",
      () => {},
      (p) => {
        process.env.GIT_COMMITTER_DATE = "2099-01-01T00:00:00Z";
        try {
          dated(p);
        } finally {
          delete process.env.GIT_COMMITTER_DATE;
        }
      },
    ],
    ["one of the same second, before it began", () => {}, (p) => dated(p)],
    [
      "a replaced parent",
      (p) => {
        const head = git(p.root, "rev-parse", "HEAD").trim();
        const more = git(p.root, "commit-tree", "HEAD^{tree}", "-p", head, "-m", "fake").trim();
        const fake = git(p.root, "commit-tree", "HEAD^{tree}", "-p", more, "-m", "fake").trim();
        git(p.root, "replace", head, fake);
      },
    ],
    [
      "a graft",
      (p) => {
        const head = git(p.root, "rev-parse", "HEAD").trim();
        const other = git(p.root, "commit-tree", "HEAD^{tree}", "-m", "fake").trim();
        writeFileSync(p.path(".git/info/grafts"), `${head} ${other}\n`);
      },
    ],
    [
      "a history begun again",
      (p) => {
        git(p.root, "checkout", "-q", "--orphan", "fresh");
        dated(p);
      },
    ],
  ];
  test.each(oneOf(2, refused).map(([what, ...changes]) => ({ what, changes })))(
    "$what",
    async ({ changes: [change, before] }) => {
      const project = repository("{commits_since_start: 1}");
      before?.(project);
      const window = await opened(project);
      change(project);
      expect(await complete(window)).toMatch(
        /0 commits since the step was opened|the commit that the step was opened at/,
      );
    },
  );

  test("one that was made since counts, whatever its date", async () => {
    const project = repository("{commits_since_start: 1}");
    const window = await opened(project);
    process.env.GIT_COMMITTER_DATE = "2001-01-01T00:00:00Z";
    try {
      dated(project, "--date", "2001-01-01T00:00:00Z");
    } finally {
      delete process.env.GIT_COMMITTER_DATE;
    }
    expect(await complete(window)).toBe("completed");
  });

  // Attack (shell): Prepare a commit before the step is opened, and go to it afterwards
  // -> Not caught: it was not in the branch when the step began
  test("one that was prepared before the step was opened counts too: not caught", async () => {
    const project = repository("{commits_since_start: 1}");
    dated(project);
    git(project.root, "reset", "-q", "--hard", "HEAD~1");
    const window = await opened(project);
    git(project.root, "reset", "-q", "--hard", "ORIG_HEAD");
    expect(await complete(window)).toBe("completed");
  });

  test("the first commit of a repository counts", async () => {
    const project = repository("{commits_since_start: 1}");
    project.remove(".git");
    git(project.root, "init", "-q");
    const window = await opened(project);
    expect(await complete(window)).toMatch(/0 commits|git says/);
    dated(project);
    expect(await complete(window)).toBe("completed");
  });
});

/** Ways to have git run a program of the project. */
const programs: readonly (readonly [string, (project: Project, script: string) => void])[] = [
  [
    "a clean filter in a submodule",
    (p, script) => {
      const module = addSubmodule(p);
      git(module, "config", "filter.x.clean", script);
      writeFileSync(join(p.path(".git/modules/lib"), "info/attributes"), "* filter=x\n");
      writeFileSync(join(module, "lib.js"), "evil\n");
    },
  ],
  [
    "a file system monitor of a submodule",
    (p, script) => {
      git(addSubmodule(p), "config", "core.fsmonitor", script);
    },
  ],
  [
    "a clean filter",
    (p, script) => {
      git(p.root, "config", "filter.x.clean", script);
      writeFileSync(p.path(".git/info/attributes"), "* filter=x\n");
      p.write("src/a.js", "evil\n");
    },
  ],
  [
    "a filter process that is required",
    (p, script) => {
      git(p.root, "config", "filter.x.process", script);
      git(p.root, "config", "filter.x.required", "true");
      writeFileSync(p.path(".git/info/attributes"), "* filter=x\n");
      p.write("src/a.js", "evil\n");
    },
  ],
  ["a file system monitor", (p, script) => void git(p.root, "config", "core.fsmonitor", script)],
  [
    "a hook",
    (p, script) => {
      mkdirSync(p.path("hooks"));
      symlinkSync(script, p.path("hooks/post-index-change"));
      git(p.root, "config", "core.hooksPath", p.path("hooks"));
    },
  ],
  [
    "a text conversion and an external diff",
    (p, script) => {
      git(p.root, "config", "diff.x.textconv", script);
      git(p.root, "config", "diff.x.command", script);
      git(p.root, "config", "diff.external", script);
      writeFileSync(p.path(".git/info/attributes"), "* diff=x\n");
      p.write("src/a.js", "evil\n");
    },
  ],
  [
    "a remote that fetches missing objects by a command",
    (p, script) => {
      git(p.root, "config", "extensions.partialClone", "origin");
      git(p.root, "config", "core.repositoryFormatVersion", "1");
      git(p.root, "config", "remote.origin.promisor", "true");
      git(p.root, "config", "remote.origin.url", `ext::${script}`);
      git(p.root, "config", "protocol.ext.allow", "always");
      const tree = git(p.root, "rev-parse", "HEAD:src").trim();
      rmSync(p.path(`.git/objects/${tree.slice(0, 2)}/${tree.slice(2)}`), { force: true });
    },
  ],
  [
    "an included configuration",
    (p, script) => {
      writeFileSync(p.path(".git/more"), `[core]\n\tfsmonitor = ${script}\n[pager]\n\tls-files = ${script}\n`);
      git(p.root, "config", "include.path", p.path(".git/more"));
    },
  ],
  [
    "an alias, a pager and an editor",
    (p, script) => {
      for (const key of ["alias.ls-files", "alias.read-tree", "core.pager", "core.editor", "sequence.editor"])
        git(p.root, "config", key, `!${script}`);
    },
  ],
];

// Attack (shell): Have git run a program of the repository, of a submodule or of the project (filters, hooks, monitors, `node_modules/.bin/git`)
// -> Refused: git is looked up once outside, and runs without the repository's settings
describe("with a shell kept inside the project: git facts and `edits` run no program that a repository names", () => {
  test.each(oneOf(3, programs))("%s", async (_what, prepare) => {
    const project = repository("{clean: true, branch: main, commits_since_start: 1}", ["src/**"]);
    const { script, hasRun } = trap(project);
    prepare(project, script);
    await complete(await opened(project));
    expect(hasRun()).toBe(false);
  });

  test.each([
    ["node_modules/.bin", (root: string) => join(root, "node_modules/.bin")],
    ["a folder of the project", (root: string) => join(root, "bin")],
    ["a relative folder", () => "bin"],
  ])("a git in %s, though PATH begins with it", async (_what, folderOf) => {
    const project = repository("{clean: true}", ["src/**"]);
    const { script, hasRun } = trap(project);
    for (const folder of ["bin", "node_modules/.bin"]) {
      mkdirSync(project.path(folder), { recursive: true });
      symlinkSync(script, project.path(`${folder}/git`));
    }
    const before = process.env.PATH;
    process.env.PATH = `${folderOf(project.root)}:${before}`;
    try {
      await complete(await opened(project));
    } finally {
      process.env.PATH = before;
    }
    expect(hasRun()).toBe(false);
  });
});

// Attack (shell): Change files outside `edits` where git does not look
// -> Exposed by the completion: a warning names them
describe("with a shell kept inside the project: a change outside `edits` is named", () => {
  const kept = hidden.filter(([what]) => !/the index no longer has/.test(what));
  test.each(oneOf(4, kept))("%s", async (_what, path, change) => {
    const project = repository("{branch: main}", ["docs/**"]);
    const window = await opened(project);
    change(project);
    const answer = await window.call("complete_action", { confirmation: "yes" });
    expect(JSON.stringify(answer.warnings)).toContain(path);
  });
});
