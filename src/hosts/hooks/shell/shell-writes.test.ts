import { expect, it } from "vitest";
import { shellWrites } from "./shell-writes.ts";

const written = (line: string): readonly string[] =>
  shellWrites(line).map(({ path, cwd }) => (cwd === "" ? path : `${cwd}/${path}`));

it.each([
  ["echo x > src/a.js", ["src/a.js"]],
  ["mkdir -p src && echo x >> src/b.js", ["src", "src/b.js"]],
  ["cd lib && printf 'x' > c.js", ["lib/c.js"]],
  ["cat > 'my file.txt' <<'EOF'\nrm -rf src > other\nEOF\ntouch after", ["my file.txt", "after"]],
  ["sed -i 's/a/b/' src/a.js lib/b.js", ["src/a.js", "lib/b.js"]],
  ["sed -i -e s/a/b/ src/a.js", ["src/a.js"]],
  ["rm -rf docs; mv a b", ["docs", "a", "b"]],
  ["cp from.txt to.txt", ["to.txt"]],
  ["npm test 2>&1 | tee report.txt", ["report.txt"]],
  ["bash -c 'echo x > inner.txt'", ["inner.txt"]],
  ["sudo env A=1 rm gone.txt", ["gone.txt"]],
  ["echo x > /dev/shm/project/lib/a.js", ["/dev/shm/project/lib/a.js"]],
  ["git checkout -- src/a.js && git rm old.js", ["src/a.js", "old.js"]],
])("%s is seen to write", (line, files) => {
  expect(written(line)).toEqual(files);
});

it.each([
  "cat .waymark/config.json",
  "grep -rn 'rm .waymark' docs 2>/dev/null",
  "ls -la > /dev/null",
  "sed -n 1,20p src/a.js",
  "git commit -m 'move .waymark > elsewhere'",
  "echo 'a > b'",
  "find . -name '*.js' -exec grep -l x {} +",
  "npm test 2>&1",
])("%s is not seen to write", (line) => {
  expect(written(line)).toEqual([]);
});

it("code that says it writes Waymark's own files is distinguished from code that reads them", () => {
  expect(written(`node -e 'require("fs").writeFileSync("workflow_state.json", "{}")'`)).toEqual([
    "workflow_state.json",
  ]);
  expect(written(`node -e 'require("fs").writeFileSync("other.json", "{}")'`)).toEqual([]);
  expect(written(`node -e 'console.log(require("./workflow_state.json"))'`)).toEqual([]);
});
