import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { standardsFolder } from "./folder.ts";

type Asked = { readonly authorization: string | undefined; readonly model: string; readonly input: readonly string[] };

/** A real server that embeds by subject: what speaks of water points one way, what speaks of fire another. */
async function embeddingServer(answer?: (asked: Asked) => { status: number; body: string } | "silence" | undefined) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const { model, input } = JSON.parse(await bodyOf(request));
    asked.push({ authorization: request.headers.authorization, model, input });
    const given = answer?.({ authorization: request.headers.authorization, model, input });
    if (given === "silence") return;
    const data = input.map((text: string, index: number) => ({
      index,
      embedding: [/water|river|damp/i.test(text) ? 1 : 0, /fire|flame|hot/i.test(text) ? 1 : 0],
    }));
    response.writeHead(given?.status ?? 200, { "content-type": "application/json" });
    response.end(given?.body ?? JSON.stringify({ data: data.reverse() }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { asked, url: `http://127.0.0.1:${port}/v1/`, stop: () => server.closeAllConnections() };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}

const files = {
  "a.md": "# River\n\nA river runs to the sea.\n",
  "b.md": "# Flame\n\nThe flame is blue.\n",
  "c.md": "# Paper\n\nPaper is damp after the storm.\n",
};

it("what is near in meaning is found beside what shares words", async () => {
  const { url, asked } = await embeddingServer();
  const place = standardsFolder(files);
  const first = place.open({ embeddings: { url, model: "m" } });
  expect((await first.search("water paper")).results.map(({ file }) => file)).toEqual(["c.md"]);
  await first.close(); // the vectors are there now
  const transport = place.open({ embeddings: { url, model: "m" } });
  await transport.search("warm up");
  await transport.close();
  const { results, warnings } = await transport.search("water paper");
  expect(results.map(({ file }) => file)).toEqual(["c.md", "a.md"]);
  expect(warnings).toEqual([]);
  expect(asked.every(({ model }) => model === "m")).toBe(true);
});

it("a text is embedded once, whatever is restarted, and only what has changed is sent again", async () => {
  const { url, asked } = await embeddingServer();
  const place = standardsFolder(files);
  const sent = () => asked.flatMap(({ input }) => input).filter((text) => text.includes("#"));
  const visit = async () => {
    const transport = place.open({ embeddings: { url, model: "m" } });
    await transport.search("water");
    await transport.close();
  };
  await visit();
  expect(sent()).toHaveLength(3);
  await visit();
  expect(sent()).toHaveLength(3);
  place.write("b.md", "# Flame\n\nThe flame is red.\n");
  await visit();
  expect(sent()).toHaveLength(4);
});

it.each([
  ["it answers with an error", { status: 500, body: "{}" }, /it answered 500/],
  ["it answers something else", { status: 200, body: '{"data":[{"embedding":"x"}]}' }, /not in the embeddings format/],
  ["it answers no JSON", { status: 200, body: "<html>" }, /matches words only/],
])("the answer matches words only when the endpoint fails: %s", async (_, answer, warning) => {
  const { url } = await embeddingServer(() => answer);
  const transport = standardsFolder(files).open({ embeddings: { url, model: "m" } });
  await transport.search("river");
  await transport.close();
  const { results, warnings } = await transport.search("river");
  expect(results[0]?.file).toBe("a.md");
  expect(warnings.join()).toMatch(warning);
});

it("a query waits for the endpoint only for a short time, and then leaves it alone for a while", async () => {
  let isSilent = false;
  const { url, asked } = await embeddingServer(() => (isSilent ? "silence" : undefined));
  // Long enough for any machine to answer while it is not silent.
  const transport = standardsFolder(files).open({ embeddings: { url, model: "m", timeout: 3_000 } });
  await transport.search("river");
  await transport.close();
  isSilent = true;
  const before = asked.length;
  const late = await transport.search("water paper");
  expect(late.results.map(({ file }) => file)).toEqual(["c.md"]);
  expect(late.warnings).toEqual([
    "Embeddings were not used, so this answer matches words only: it did not answer in time.",
  ]);
  expect((await transport.search("water paper")).warnings).toEqual([]);
  expect(asked.length).toBe(before + 1);
});

it("the key goes into the request and nowhere else", async () => {
  const { url, asked } = await embeddingServer(({ input }) => ({ status: input.length > 1 ? 200 : 401, body: "" }));
  process.env.WAYMARK_TEST_KEY = "sk-very-secret";
  onTestFinished(() => {
    delete process.env.WAYMARK_TEST_KEY;
  });
  const place = standardsFolder(files);
  const transport = place.open({ embeddings: { url, model: "m", apiKeyEnv: "WAYMARK_TEST_KEY" } });
  const answers = [await transport.search("river")];
  await transport.close();
  answers.push(await transport.search("river"));
  expect(asked[0]?.authorization).toBe("Bearer sk-very-secret");
  expect(JSON.stringify(answers)).not.toContain("sk-very");
  for (const file of readdirSync(dirname(place.indexFile)))
    expect(readFileSync(join(dirname(place.indexFile), file)).includes("sk-very")).toBe(false);
});

it("what is hidden stays hidden however near it is", async () => {
  const { url } = await embeddingServer();
  const place = standardsFolder({ ...files, "later.md": "---\nphase: 9\n---\n# Later\n\nriver water damp\n" });
  const transport = place.open({ embeddings: { url, model: "m" } });
  await transport.search("water");
  await transport.close();
  const { results } = await transport.search("water");
  expect(results.map(({ file }) => file)).toEqual(["a.md", "c.md"]);
});
