import { symlinkSync } from "node:fs";
import { expect, it } from "vitest";
import { makeProject } from "../project.ts";
import { openWindow } from "../window.ts";
import { claudeSession, denialIn } from "./hook.ts";

/** Ordinary commands of a step that may change `src/**`, `test/**` and `*.md`, by what they have in common. */
const passing: Readonly<Record<string, readonly string[]>> = {
  "a folder that the edits cover may be named as such": [
    "cp docs/a.md src/",
    "cp docs/a.md package.json test/",
    "mv src/a.js test/",
    "mv -t src test/x",
    "git mv src/a.js test/",
    "rsync -a /tmp/x/ src/",
    "ln -sf ../docs/a.md src/",
    "rm -rf src",
    "git restore src",
    "git checkout -- src",
    "git rm -r src",
    "git clean -fd src",
    "chmod -R u+w src",
    "find src -name '*.tmp' -delete",
    "find src -type f -exec sed -i 's/a/b/' {} +",
    "find sub -name '*.md' -exec sed -i 's/a/b/' {} +",
    "find . -name '*.orig' -exec rm {} \\;",
  ],
  "a shell is where it was once what it did elsewhere is over": [
    "(cd sub && npm test) && touch src/a.js",
    "x=$(cd sub && pwd); touch src/x",
    'echo "$(cd sub && pwd)" > src/x',
    "cd sub && ls; cd - && echo x > src/a.js",
    "pushd sub; ls; popd; echo y > src/a.js",
    "(cd .waymark && ls -la); echo hi > src/n.js",
    "cd sub & touch src/a.js",
    "ls sub | while read f; do cd sub; done; touch src/x",
    'cd "$(git rev-parse --show-toplevel)" && echo x > src/a.js',
    "f() { cd sub; }; touch src/x",
  ],
  "what is read is not written": [
    "tee src/x.js <<'EOF'\nhi\nEOF",
    "tee src/x.js > /dev/null <<'EOF'\nhi > sub/y\nEOF",
    "ed -s src/a.js <<EOF\n1d\nw\nEOF",
    "rm -i src/a.js <<< y",
    "tee src/a.js < package.json",
    "tee src/copy.json < workflow_state.json",
    "cp .waymark/config.json src/copy.json",
    "cp -r .waymark /tmp/copy",
    `python3 -c "print(open('workflow_state.json').read())"`,
    `python3 -c "import json; print(json.load(open('.waymark/config.json')))"`,
    `python3 -c "open('src/x','w').write(open('.waymark/config.json').read())"`,
    `node -e "process.stdout.write(require('fs').readFileSync('.waymark/config.json', 'utf8'))"`,
    "python3 - <<'EOF'\nprint(open('.waymark/config.json').read())\nEOF",
  ],
  "the value of an option is no file": [
    "truncate -s 0 src/a.js",
    "touch -d '2020-01-01' src/a.js",
    "touch -r package.json src/a.js",
    "git restore --source HEAD src/a.js",
    "git restore -s HEAD~1 src/a.js",
    "install -m 644 docs/a.md src/a",
    "Set-Content -Path src/y.js -Value 'x'",
    "'x' | Out-File -Encoding utf8 src/y.js",
    "sed -i.bak -e s/a/b/ -f script.sed src/a.js",
    "perl -0777 -i -pe s/a/b/ src/a.js",
  ],
  "what git does to its index alone changes no file": [
    "git restore --staged package.json",
    "git restore --staged .",
    "git rm --cached package.json",
  ],
  "a sign that compares redirects nothing": [
    "[[ a > b ]] && echo y",
    "(( a > b )) && echo y",
    "echo $((1 > 0))",
    "git commit -m $'it\\'s > y'",
    "git commit -m \"$(cat <<'EOF'\nit's a -> b) > c\nEOF\n)\"",
    "echo \"$(echo ')')\" > src/x",
  ],
  "other machines and other folders are nobody's here": [
    "rsync -av src/ host:/srv/",
    "scp src/a.js host:sub/x",
    "rm -rf /tmp/other/.waymark",
    "touch ~/notes.txt",
  ],
};

/** The same for commands that write elsewhere, or to Waymark's own files. */
const denied: Readonly<Record<string, readonly string[]>> = {
  "a shell is where it was once what it did elsewhere is over": [
    "(cd /tmp && ls); rm workflow_state.json",
    "x=$(cd /tmp && pwd); echo '{}' > workflow_state.json",
    "(cd src && npm test) && rm -rf sub",
    "cd sub && apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: y\n*** End Patch\nEOF",
  ],
  "a program that runs another one hides nothing": [
    "sudo -u root rm -rf .waymark",
    "env -u FOO rm -rf .waymark",
    "xargs -P 4 rm .waymark/x",
    "nice -n 10 rm -rf .waymark",
    "nice -n10 rm -rf .waymark",
    "stdbuf -o L rm -rf .waymark",
    "exec -a foo rm -rf .waymark",
    "bash -ce 'rm -rf .waymark'",
    "bash -euo pipefail -c 'rm -rf .waymark'",
    "timeout -s KILL 10 rm -rf .waymark",
    "time -p rm -rf .waymark",
    "sh <<'EOF'\nrm -rf .waymark\nEOF",
  ],
  "everything here is more than the edits": [
    "git restore .",
    "git checkout -- .",
    "git checkout .",
    "cp src/a.js .",
    "cp src/a.js ./",
  ],
  "whatever is written to is seen": [
    "echo x >& sub/y",
    "echo x &>> sub/y",
    "mv sub src/",
    "if true; then rm -rf .waymark; fi",
    "case x in x) rm -rf .waymark;; esac",
    "f() { rm -rf .waymark; }; f",
    "cat <<EOF; rm -rf .waymark\nhi\nEOF",
    "echo $'it\\'s'; rm -rf .waymark",
    "patch -p1 <<'EOF'\n--- a/sub/deep/x.txt\n+++ b/sub/deep/x.txt\nEOF",
  ],
};

async function atWork() {
  const project = makeProject();
  const gate = ".waymark/base_actions/gather_context/gate-definition.yaml";
  project.write(gate, 'edits: ["src/**", "test/**", "*.md"]\n');
  for (const file of ["src/a.js", "test/x", "docs/a.md", "sub/deep/x.txt", "package.json"]) project.write(file, "1");
  symlinkSync("../sub", project.path("src/link"));
  const window = await openWindow(project.root);
  await window.call("story_bot");
  await window.close();
  const session = claudeSession(project, "at work");
  await session.tell("PreToolUse", { tool_name: "mcp__waymark__story_bot", tool_input: {} });
  return async (command: string) =>
    denialIn(await session.tell("PreToolUse", { tool_name: "Bash", tool_input: { command } }));
}

it.each(Object.entries(passing))("%s: it passes", async (_, lines) => {
  const denial = await atWork();
  for (const line of lines) expect.soft(await denial(line), line).toBeUndefined();
});

it.each(Object.entries(denied))("%s: it is denied", async (_, lines) => {
  const denial = await atWork();
  for (const line of lines) expect.soft(await denial(line), line).toBeTypeOf("string");
});

it("a line of any length and depth is answered at once, and passes where it is not understood", async () => {
  const denial = await atWork();
  for (const line of [
    "$(".repeat(30_000),
    "(".repeat(90_000),
    "echo '".repeat(20_000),
    "<<A ".repeat(20_000),
    "`".repeat(99_999),
    "a=(".repeat(30_000),
    "<<A\n".repeat(25_000),
  ])
    expect.soft(await denial(line), line.slice(0, 10)).toBeUndefined();
});
