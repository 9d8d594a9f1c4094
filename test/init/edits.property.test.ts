import fc from "fast-check";
import { stringify as stringifyToml } from "smol-toml";
import { expect, test } from "vitest";
import type { HostFile } from "../../src/hosts/host.ts";
import { addParts, removeParts } from "../../src/hosts/init/edit/edit-parts.ts";
import { dataOf } from "./formats.ts";

const entry = { command: "node", args: ["waymark.js", "serve"] };
const circumstances = { replace: false, installed: false, exists: () => true };
const json: HostFile = {
  path: "settings.json",
  syntax: "json",
  parts: [
    { kind: "server", under: "mcpServers", entry },
    { kind: "items", at: ["permissions", "deny"], items: ["Read(x)", "Edit(x)"] },
    { kind: "setting", at: ["ask", "**/x"], value: false },
  ],
};
const toml: HostFile = {
  path: "config.toml",
  syntax: "toml",
  parts: [{ kind: "server", under: "mcp_servers", entry }],
};

const names = fc.stringMatching(/^[a-z]{1,8}$/).filter((name) => !["mcp", "ask", "permissions"].includes(name));
const scalars = fc.oneof(fc.boolean(), fc.integer(), fc.string({ maxLength: 8 }));
const tables = fc.dictionary(
  names,
  fc.oneof(scalars, fc.array(scalars, { maxLength: 3 }), fc.dictionary(names, scalars)),
  {
    noNullPrototype: true,
  },
);
const layouts = fc.constantFrom(undefined, 2, 4, "\t");
const notes = fc.constantFrom("", "// a note\n", "/* a note, with a comma */");

test("whatever a JSON config holds, our parts come in once and go out again, and nothing else is touched", () => {
  fc.assert(
    fc.property(tables, tables, layouts, notes, notes, (own, servers, layout, before, after) => {
      const data = { ...own, mcpServers: servers };
      const text = `${before}${JSON.stringify(data, null, layout)}${after === "" ? "" : `\n${after}`}`;
      const added = textOf(addParts(text, json, circumstances));
      expect(dataOf("x.json", added)).toEqual({
        ...own,
        mcpServers: { ...servers, waymark: entry },
        permissions: { deny: ["Read(x)", "Edit(x)"] },
        ask: { "**/x": false },
      });
      expect(textOf(addParts(added, json, circumstances))).toBe(added);
      const removed = textOf(removeParts(added, json));
      expect(dataOf("x.json", removed)).toEqual(Object.keys(servers).length === 0 ? own : data);
      if (Object.keys(servers).length > 0 && Object.keys(own).length > 0) expect(removed).toBe(text);
    }),
  );
});

test("whatever a TOML config holds, our table comes in once and goes out again, and nothing else is touched", () => {
  fc.assert(
    fc.property(tables, fc.dictionary(names, fc.dictionary(names, scalars)), fc.boolean(), (own, servers, isEnded) => {
      const data = { ...own, ...(Object.keys(servers).length === 0 ? {} : { mcp_servers: servers }) };
      const text = `# theirs\n${stringifyToml(data)}${isEnded ? "\n" : ""}`;
      const added = textOf(addParts(text, toml, circumstances));
      expect(dataOf("x.toml", added)).toEqual({ ...own, mcp_servers: { ...servers, waymark: entry } });
      expect(textOf(addParts(added, toml, circumstances))).toBe(added);
      const removed = textOf(removeParts(added, toml));
      expect(dataOf("x.toml", removed)).toEqual(data);
      if (text.endsWith("\n")) expect(removed).toBe(text);
    }),
  );
});

function textOf(edited: ReturnType<typeof addParts>): string {
  if ("problem" in edited) throw new Error(edited.problem);
  return edited.text;
}
