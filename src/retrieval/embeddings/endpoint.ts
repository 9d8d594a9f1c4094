/** An embeddings endpoint in the OpenAI dialect; the key is read from the environment at use and never stored. */
export type EmbeddingSource = {
  readonly url: string;
  readonly model: string;
  /** The environment variable that holds the key. */
  readonly apiKeyEnv?: string | undefined;
  /** The time in milliseconds that a query waits; default 1500. */
  readonly timeout?: number | undefined;
};

/** Turns texts into vectors of length one. */
export type Embed = (texts: readonly string[], signal: AbortSignal) => Promise<readonly Float32Array[]>;

/** Creates a client of an embeddings endpoint; its errors contain no secrets and no texts. */
export function embedder({ url, model, apiKeyEnv }: EmbeddingSource, environment: NodeJS.ProcessEnv): Embed {
  return async (texts, signal) => {
    const key = apiKeyEnv === undefined ? undefined : environment[apiKeyEnv];
    const response = await fetch(`${url.replace(/\/+$/, "")}/embeddings`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(key ? { authorization: `Bearer ${key}` } : {}) },
      body: JSON.stringify({ model, input: texts }),
      signal,
      redirect: "error", // the key must only go to the configured host
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`it answered ${response.status}`);
    }
    const vectors = vectorsIn(await response.json());
    if (vectors?.length !== texts.length) throw new Error("its answer is not in the embeddings format");
    return vectors;
  };
}

function vectorsIn(answer: unknown): readonly Float32Array[] | undefined {
  if (typeof answer !== "object" || answer === null || !("data" in answer) || !Array.isArray(answer.data))
    return undefined;
  const data: readonly unknown[] = answer.data;
  const vectors = data.map((entry, place) => {
    if (typeof entry !== "object" || entry === null || !("embedding" in entry)) return undefined;
    const at = "index" in entry && typeof entry.index === "number" ? entry.index : place;
    const vector = numbersIn(entry.embedding);
    return vector === undefined ? undefined : { at, vector };
  });
  const found = vectors.filter((entry) => entry !== undefined).sort((a, b) => a.at - b.at);
  const isWhole = found.length === data.length && found.every(({ at }, place) => at === place);
  return isWhole ? found.map(({ vector }) => unit(vector)) : undefined;
}

function numbersIn(value: unknown): Float32Array | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const list: readonly unknown[] = value;
  const numbers = list.filter((entry) => typeof entry === "number" && Number.isFinite(entry));
  return numbers.length === list.length ? Float32Array.from(numbers.map(Number)) : undefined;
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
