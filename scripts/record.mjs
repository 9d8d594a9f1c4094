import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { home, run } from "./set-up.mjs";

/** Draws docs/demo.svg from a real run of the demo: the scenes that matter most, on one screen. */
run(process.execPath, [join(home, "scripts/build.mjs"), "--quick"]);
const { stdout, status } = spawnSync(process.execPath, [join(home, "examples/demo/demo.mjs")], {
  cwd: home,
  encoding: "utf8",
  env: { ...process.env, FORCE_COLOR: "1" },
});
if (status !== 0) process.exit(status ?? 1);

const colours = { 2: "#8b949e", 31: "#ff7b72", 32: "#7ee787", 33: "#e3b341", 35: "#d2a8ff", 36: "#79c0ff" };
const lineHeight = 18;
const widest = 134;
const lines = stdout
  .trimEnd()
  .replace(/\/[^ )]*waymark-demo-\w+/g, "my-project")
  .split("\n\n")
  .filter((scene) => /^\S*(?:2|4|8|9)\. /.test(scene))
  .join("\n\n")
  .split("\n");

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Turns one terminal line into spans; the demo uses one colour at a time. */
function spans(line) {
  const mark = String.fromCharCode(27);
  let style = "";
  let room = widest;
  return line
    .split(new RegExp(`(${mark}\\[\\d+m)`))
    .map((part) => {
      const code = part.startsWith(mark) ? part.slice(2, -1) : undefined;
      if (code !== undefined) {
        style = code === "0" ? "" : code === "1" ? ' font-weight="bold"' : ` fill="${colours[code] ?? "#e6edf3"}"`;
        return "";
      }
      const shown = part.length > room ? `${part.slice(0, Math.max(0, room - 1))}…` : part;
      room = Math.max(0, room - part.length);
      return shown === "" ? "" : `<tspan${style}>${escaped(shown)}</tspan>`;
    })
    .join("");
}

const height = lines.length * lineHeight + 32;
const rows = lines.map(
  (line, index) => `<text x="16" y="${28 + index * lineHeight}" xml:space="preserve">${spans(line)}</text>`,
);
writeFileSync(
  join(home, "docs/demo.svg"),
  `<svg xmlns="http://www.w3.org/2000/svg" width="1080" height="${height}" viewBox="0 0 1080 ${height}" role="img" aria-label="A scripted assistant walks a bot over MCP: refused, killed, and held to its tests">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13" fill="#e6edf3">
${rows.join("\n")}
</g>
</svg>
`,
);
console.log(`docs/demo.svg: ${lines.length} lines`);
