import { expect, it } from "vitest";
import { hostTraits } from "./shown.ts";

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
