import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hosts } from "./all-hosts.ts";
import { type HostDisplay, hostDisplays, hostTraits } from "./host-display.ts";

it("a host that shows text and structured content both gets one line of text, any other all of it", () => {
  expect(hostTraits("qwen-cli-mcp-client-waymark").text).toBe("line");
  for (const name of ["copilot-cli", "github-copilot-developer"]) expect(hostTraits(name).text).toBe("line");
  for (const client of ["claude-code", "codex-mcp-client", "opencode", "something new", undefined])
    expect(hostTraits(client).text).toBe("whole");
});

it("a host whose forms cannot be sent with an empty field is not asked for a comment", () => {
  expect(hostTraits("codex-mcp-client").comment).toBe(false);
  for (const client of ["claude-code", undefined]) expect(hostTraits(client).comment).toBe(true);
});

it("every client of init has a row, in docs/hosts.md too", () => {
  const docs = readFileSync(join(import.meta.dirname, "../../docs/hosts.md"), "utf8");
  const rows = docs.split("\n").map((line) =>
    line
      .split("|")
      .map((cell) => cell.trim())
      .slice(1, -1),
  );
  for (const { id, title } of hosts) {
    const shows = hostDisplays[id];
    expect(rows).toContainEqual([title, shows.basis, ...cellsOf(shows)]);
  }
});

function cellsOf({ result, instructions, agentsFile, headless }: HostDisplay): readonly string[] {
  const word = (value: boolean): string => (value ? "yes" : "no");
  const shown = { text: "the text", structured: "structured content", both: "both" }[result];
  return [shown, word(instructions), word(agentsFile), headless];
}
