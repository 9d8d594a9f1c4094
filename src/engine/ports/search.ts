/** A document's facts for access rules. */
export type StandardDocument = {
  /** Its path relative to the standards folder, with forward slashes. */
  readonly file: string;
  readonly tags: readonly string[];
  /** The workflow and phases it belongs to. */
  readonly workflow: string | undefined;
  readonly phases: readonly number[];
};

/** The options of a search. */
export type SearchOptions = {
  /** Words that a document answering the query would use; they carry the ranking. */
  readonly terms?: readonly string[] | undefined;
  /** Only documents of this phase. */
  readonly phase?: number | undefined;
  /** Only documents with at least one of these tags. */
  readonly tags?: readonly string[] | undefined;
  /** The maximum number of results; default 3. */
  readonly limit?: number | undefined;
  /** The token budget of all results together; default 600. */
  readonly budget?: number | undefined;
  /** Decides which documents of workflows and phases are shown, none by default; a refused document counts as absent. */
  readonly mayShow?: ((document: StandardDocument) => boolean) | undefined;
};

/** A matching passage. */
export type SearchResult = {
  readonly content: string;
  readonly file: string;
  /** The headings above it, outermost first, as one line. */
  readonly section: string;
  readonly score: number;
  readonly tokens: number;
  /** Its first and last line in the file. */
  readonly lines: readonly [number, number];
  /** The words of the query in it, and the headings that contain them. */
  readonly matched: { readonly terms: readonly string[]; readonly headings: readonly string[] };
};

/** The results of a search, best first, from different files as long as there are enough. */
export type SearchAnswer = {
  readonly results: readonly SearchResult[];
  readonly totalTokens: number;
  readonly warnings: readonly string[];
  /** A hint at other words if the match is weak. */
  readonly hint?: string | undefined;
};

/** A searchable folder of standards. */
export type Standards = {
  search(query: string, options?: SearchOptions): Promise<SearchAnswer>;
  /** Resolves when the index is built, for callers that do not want a scan. */
  ready(): Promise<void>;
  /** Waits for pending saves and releases the folder. */
  close(): Promise<void>;
};

/** A caller's search request. */
export type SearchRequest = {
  readonly query: string;
  readonly terms?: readonly string[];
  readonly filter_phase?: number;
  readonly filter_tags?: readonly string[];
  readonly n_results?: number;
  /** The token budget of all results together. */
  readonly budget?: number;
  /** The session of the caller; documents of its open and completed phases can then be found. */
  readonly session_id?: string;
};

/** The text of an opened step, and its session. */
export type SteppedText = { readonly title: string; readonly text: string; readonly session_id?: string };

/** The search that every transport uses. */
export type StandardsSearch = {
  search(request: SearchRequest): Promise<SearchAnswer | { readonly noSession: string }>;
  /** Names up to two documents that fit a step, each as a title and a file; none if the best of them fits badly. */
  fitting(step: SteppedText): Promise<readonly string[]>;
  /** True if there is anything to search. */
  isThere(): Promise<boolean>;
  /** Resolves when the index is built, for callers that do not want a scan. */
  ready(): Promise<void>;
  /** Waits for pending builds and saves; no search is possible afterwards. */
  close(): Promise<void>;
};
