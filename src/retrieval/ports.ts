/** A document as the rule for who may see it knows it. */
export type StandardDocument = {
  /** Its path relative to the standards folder, with forward slashes. */
  readonly file: string;
  readonly tags: readonly string[];
  /** The workflow and the phases it says it belongs to. */
  readonly workflow: string | undefined;
  readonly phases: readonly number[];
};

/** How a search is narrowed down. */
export type SearchOptions = {
  /** Only documents of this phase. */
  readonly phase?: number | undefined;
  /** Only documents with at least one of these tags. */
  readonly tags?: readonly string[] | undefined;
  /** How many results at most; 3 unless told. */
  readonly limit?: number | undefined;
  /** How many tokens their contents may cost together; 600 unless told. */
  readonly budget?: number | undefined;
  /** Who may see what belongs to a workflow or phase; nobody unless told. What it refuses is as if it were not there. */
  readonly mayShow?: ((document: StandardDocument) => boolean) | undefined;
};

/** A passage that answers. */
export type SearchResult = {
  readonly content: string;
  readonly file: string;
  /** The headings above it, outermost first, as one line. */
  readonly section: string;
  readonly score: number;
  readonly tokens: number;
  /** Its first and last line in the file. */
  readonly lines: readonly [number, number];
  /** The words of the query that stand in it, and the headings that hold them. */
  readonly matched: { readonly terms: readonly string[]; readonly headings: readonly string[] };
};

/** The results of a search, the best first, each from another file as long as there are enough. */
export type SearchAnswer = {
  readonly results: readonly SearchResult[];
  readonly totalTokens: number;
  readonly warnings: readonly string[];
};

/** A folder of standards that can be searched. */
export type Standards = {
  search(query: string, options?: SearchOptions): Promise<SearchAnswer>;
  /** Waits until the index is built, for callers that would rather wait than be answered by a scan. */
  ready(): Promise<void>;
  /** Waits for what is being saved and lets go of the folder. */
  close(): Promise<void>;
};

/** What a caller asks of the standards. */
export type SearchRequest = {
  readonly query: string;
  readonly filter_phase?: number;
  readonly filter_tags?: readonly string[];
  readonly n_results?: number;
  /** How many tokens the results may cost together. */
  readonly budget?: number;
  /** The session on whose behalf it is asked: what belongs to its open and completed phases can then be found. */
  readonly session_id?: string;
};

/** The standards of a workplace, as every door asks them. */
export type StandardsSearch = {
  search(request: SearchRequest): Promise<SearchAnswer | { readonly noSession: string }>;
  /** Whether there is anything to search. */
  isThere(): Promise<boolean>;
  /** Waits until the index is built, for callers that would rather wait than be answered by a scan. */
  ready(): Promise<void>;
  /** Waits for what is being built and saved; nothing is searched afterwards. */
  close(): Promise<void>;
};
