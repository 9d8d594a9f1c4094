import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { SearchOptions, StandardDocument } from "../../src/engine/ports/search.ts";
import { pages, standardsFolder } from "./folder.ts";

const secret =
  "---\nworkflow: review\nphase: 3\ntags: [later]\n---\n# Zanzibar\n\nThe zanzibar evidence release gate undo.\n";
const owned = { ...pages, "phases/three.md": secret };
const upTo =
  (open: number): SearchOptions["mayShow"] =>
  ({ phases }: StandardDocument) =>
    phases.every((phase) => phase <= open);

it("what belongs to a phase is invisible unless the caller says that it may be shown", async () => {
  const transport = standardsFolder(owned).open();
  expect((await transport.search("zanzibar")).results).toEqual([]);
  expect((await transport.search("zanzibar", { mayShow: upTo(2) })).results).toEqual([]);
  expect((await transport.search("zanzibar", { mayShow: upTo(3) })).results[0]?.file).toBe("phases/three.md");
  expect((await transport.search("zanzibar", { mayShow: upTo(2) })).results).toEqual([]);
});

it("the caller's rule sees file, tags, workflow and phases", async () => {
  const seen: StandardDocument[] = [];
  const mayShow = (document: StandardDocument) => seen.push(document) > 0;
  await standardsFolder(owned).open().search("zanzibar", { mayShow });
  expect(seen).toContainEqual({ file: "phases/three.md", tags: ["later"], workflow: "review", phases: [3] });
});

it.each([0, 60_000])(
  "an answer is the same to the last byte as if what is hidden were not there (patience %i)",
  async (patience) => {
    const folders = [standardsFolder(owned), standardsFolder(pages)];
    // A door of its own for each question: without patience it scans, whatever has been built meanwhile behind another.
    const ask = (query: string, options: SearchOptions) =>
      Promise.all(folders.map((folder) => folder.open({ patience }).search(query, options)));
    for (const query of ["zanzibar", "evidence", "release gate undo", "zanzibar evidence", "tuesday approval"])
      for (const options of [{ limit: 3 }, { limit: 10, mayShow: upTo(2) }, { phase: 3 }, { tags: ["later"] }]) {
        const [withSecret, without] = await ask(query, options);
        expect(withSecret).toEqual(without);
      }
  },
);

it("what is hidden does not crowd out what may be shown, even in a scan", async () => {
  const crowd = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`phases/${at}.md`, secret]));
  const { results } = await standardsFolder({ ...pages, ...crowd })
    .open({ patience: 0 })
    .search("zanzibar gate undo evidence");
  expect(results.map(({ file }) => file).sort()).toEqual(Object.keys(pages).sort());
});

it("a phase narrows a search down to its own documents, if they may be shown", async () => {
  const transport = standardsFolder(owned).open();
  expect((await transport.search("evidence", { phase: 3, mayShow: upTo(3) })).results.map(({ file }) => file)).toEqual([
    "phases/three.md",
  ]);
  expect((await transport.search("evidence", { phase: 3 })).results).toEqual([]);
});

it("a document whose owner cannot be read is shown to nobody", async () => {
  const broken = "---\nworkflow: [\nphase: 3\n---\n# Zanzibar\n";
  const transport = standardsFolder({ ...pages, "broken.md": broken }).open();
  const answer = await transport.search("zanzibar", { mayShow: () => true });
  const hint = "Nothing matches. Not in any document: zanzibar. Search again with terms.";
  expect(answer).toEqual({ results: [], totalTokens: 0, warnings: [], hint });
});

// Attack (tools): Have a standard of a later phase shown, whose owner is written through a YAML merge key or alias
it.each(["<<: {workflow: review, phase: 3}", "base: &base {workflow: review, phase: 3}\n<<: *base"])(
  "a document whose owner is named through %j is shown to nobody",
  async (head) => {
    const transport = standardsFolder({ ...pages, "merged.md": `---\n${head}\n---\n# Zanzibar\n` }).open();
    expect((await transport.search("zanzibar")).results).toEqual([]);
  },
);

it("a file that is not searched is not named either, if it belongs to a hidden phase", async () => {
  const large = `---\nworkflow: review\nphase: 3\n---\n${"zanzibar ".repeat(300_000)}`;
  const transport = standardsFolder({
    ...pages,
    "large.md": large,
    "binary.md": Buffer.from("---\nphase: 3\n---\n\0"),
  }).open();
  expect((await transport.search("zanzibar")).warnings).toEqual([]);
  expect((await transport.search("zanzibar", { mayShow: () => true })).warnings).toEqual([
    "binary.md: is not text and is not searched.",
    "large.md: is larger than 2 MB and is not searched.",
  ]);
});

it("the saved index holds no word of a document that belongs to a workflow", async () => {
  const place = standardsFolder(owned);
  const transport = place.open();
  await transport.search("zanzibar", { mayShow: () => true });
  place.write("gates.md", "---\nworkflow: review\n---\n# Gates\n\nquokka\n");
  await transport.search("quokka", { mayShow: () => true });
  await transport.close();
  const saved = readFileSync(place.indexFile).toString("latin1");
  for (const word of ["zanzibar", "three.md", "quokka", "gates.md", "review"])
    expect(saved.toLowerCase()).not.toContain(word);
  expect(saved).toContain("rollback.md");
});
