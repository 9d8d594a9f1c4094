import { expect, it } from "vitest";
import { textFor } from "./shown.ts";

it("a host that shows text and structured content both gets one line of text, any other all of it", () => {
  expect(textFor("qwen-cli-mcp-client-waymark")).toBe("line");
  expect(textFor("github-copilot-developer")).toBe("line");
  for (const client of ["claude-code", "codex-mcp-client", "opencode", "something new", undefined])
    expect(textFor(client)).toBe("whole");
});
