import { numberPattern } from "./numbers.ts";

/** A limit that words put on a number or a size. */
export type Relation = {
  readonly kind: "at_least" | "more_than" | "at_most" | "less_than" | "exactly" | "other_than";
  readonly limit: number;
  /** What is counted, where the words say so: "characters", "items". */
  readonly unit: string;
};

/** A way to write a limit, and what its numbers come to. */
export type Phrase = { readonly pattern: RegExp; read(numbers: readonly number[], unit: string): Relation[] };

type Kind = Relation["kind"];
type Read = Phrase["read"];

const N = `(${numberPattern})`;
const only =
  (kind: Kind): Read =>
  ([limit], unit) =>
    limit === undefined ? [] : [{ kind, limit, unit }];
const both =
  (low: Kind, high: Kind): Read =>
  ([from, to], unit) =>
    from === undefined || to === undefined
      ? []
      : [
          { kind: low, limit: from, unit },
          { kind: high, limit: to, unit },
        ];
const range = both("at_least", "at_most");
const fullScore: Read = ([reached, most], unit) =>
  reached === undefined || reached !== most ? [] : [{ kind: "at_least", limit: reached, unit }];

const percent = "(?:%|per ?cent)?";
/** The start or end of a clause. */
const begins = "(?<=^|[,;:(=–—]|\\s-)\\s*";
const ends = "(?=\\s*(?:$|[,;)]|\\.(?!\\d)))";
const faults =
  "(?:errors?|warnings?|failures?|failed|issues?|violations?|findings?|bugs?|defects?|regressions?|vulnerabilities|leaks?|conflicts?|skipped|remaining|open|left|tolerance)";

const up = "(?:greater|more|higher|larger|bigger|longer|above|over|beyond|exceed(?:s|ing|ed)?|in excess of)";
const down = "(?:less|fewer|lower|smaller|shorter|below|under|beneath)";
const orEqual = "(?:,? or (?:is )?equal(?:s|ing)?|/ ?equal)";
/** Words that may stand between a comparison and its number. */
const gap =
  "\\s*[:=(]?\\s*(?:(?:and including|(?:a |the )?(?:total|value|number|count|limit)(?: of)?|of|is|be|at|by|to)\\s+){0,2}";
const equalThan = (way: string): string =>
  `(?:\\b${way}(?: than)?${orEqual}(?: (?:to|than|with))?|\\bequal(?:s|ing)?(?: to)?,? or (?:is )?${way}(?: than)?)`;
const least =
  "\\bat (?:the )?(?:very )?least|\\bat (?:an? |the )?(?:bare |absolute )?min(?:imum)?\\b|\\b(?:meets?|reach(?:es|ing)?) (?:or (?:exceeds?|beats?|goes over))?|\\bupwards? of|\\bstarting (?:at|from)|\\bgte\\b|>\\s?=|>/=|=>|≥|⩾|>\\s*or\\s*=";
const most =
  "\\bat (?:the )?(?:very )?most|\\bat (?:an? |the )?max(?:imum)?\\b|\\bup to|\\b(?:capped|limited|topped|maxed)(?: out)? (?:at|to)|\\btops? out at|\\blte\\b|<\\s?=|</=|=<|≤|⩽|<\\s*or\\s*=";
const sized =
  "(?:\\s+(?:value|number|count|amount|score|size|total|of|items|entries|coverage|allowed|required|permitted|word|line))";
const lowest = `\\b(?:a )?(?:min(?:imum|imal(?:ly)?)?\\b\\.?|floor\\b|lower (?:bound|limit)\\b)${sized}{0,3}`;
const highest = `\\b(?:a )?(?:max(?:imum|imal(?:ly)?)?\\b\\.?|ceiling\\b|cap\\b|upper (?:bound|limit)\\b|limit(?= of| is|\\s*[:=]))${sized}{0,3}`;
const must = "\\b(?:must|shall|should|has to|have to|needs? to|is to|is expected to)(?: always)?";
const dash = "(?:to|through|thru|up to|until|\\.\\.\\.?|…|[-–—])";
const noun = "(?:characters|chars|letters|digits|words|lines|sentences|paragraphs|items|entries|elements)";
const unless =
  "(?![\\d.]*\\d|\\s*(?:%\\s*)?(?:or (?:more|less|fewer|higher|lower|greater|above|below|better|positive|negative|larger|smaller|\\d)|and (?:above|up|over|more)|\\+|/\\s*\\d|[.:]\\d|(?:to|-|–|—|\\.\\.)\\s*\\d))";

/** In this order: what is a part of a longer phrase must come after it. */
const sources: readonly (readonly [string, Read])[] = [
  [`\\bmax(?:imum)? len(?:gth)?(?: of| is)?\\s*[:=]?\\s*${N}`, only("at_most")],
  [`\\bmin(?:imum)? len(?:gth)?(?: of| is)?\\s*[:=]?\\s*${N}`, only("at_least")],
  [`\\b(?:list|array|collection)s? of ${N}\\s*(?:to|[-–—])\\s*${N}`, range],
  [`\\b(?:list|array|collection) of (?:exactly )?${N} (?=[a-z])(?!or\\b|and\\b|to\\b)`, only("exactly")],
  [`${N}\\s*(?:<=|≤)\\s*[\`\\p{L}][\`\\p{L}\\p{N}_]*\\s*(?:<=|≤)\\s*${N}`, range],
  [`${N}\\s*<\\s*[\`\\p{L}][\`\\p{L}\\p{N}_]*\\s*<\\s*${N}`, both("more_than", "less_than")],
  [`${N}\\s*(?:<=|≤)\\s*[\`\\p{L}][\`\\p{L}\\p{N}_]*\\s*<\\s*${N}`, both("at_least", "less_than")],
  [`${N}\\s*<\\s*[\`\\p{L}][\`\\p{L}\\p{N}_]*\\s*(?:<=|≤)\\s*${N}`, both("more_than", "at_most")],
  ...intervals(),
  [
    `\\b(?:between|from|range(?: of| is)?:?|in|within|integer|int|number|float|score|value)\\s+${N}\\s*%?\\s*(?:and|${dash})\\s*${N}`,
    range,
  ],
  [`${N}\\s*(?:to|[-–—])\\s*${N}(?=\\s*${noun}\\b)`, range],
  [`${begins}${N}\\s*${dash}\\s*${N}(?=\\s+[a-z]+s\\b)`, range],
  [`${begins}${N}\\s*%?\\s*${dash}\\s*${N}\\s*${percent}${ends}`, range],
  // In [0-9]+ the brackets are those of a pattern.
  [`(?<![\\w\\])+*^-])[[(\`]${N}\\s*${dash}\\s*${N}%?[\\])\`](?![+*?{\\w[\\\\-])`, range],
  [
    `${N}(?: [a-z]+)? (?:must|may|should|shall|can|is|are)?\\s*(?:not|never) (?:to )?be (?:exceeded|surpassed|topped)`,
    only("at_most"),
  ],
  [`(?:${equalThan(up)}|${least}|${lowest})${gap}${N}`, only("at_least")],
  [`(?:${equalThan(down)}|${most}|${highest})${gap}${N}`, only("at_most")],
  [
    `(?:\\b(?:not|other than|different from|anything but|anything except|unequal to)|≠|!==?|<>)\\s*(?:be |equal (?:to )?|exactly |the value ){0,2}${N}${unless}`,
    only("other_than"),
  ],
  [`(?:\\b${up}(?: than)?|(?<![=<-])>(?!=))${gap}${N}`, only("more_than")],
  [`(?:\\b${down}(?: than)?|(?<![=])<(?!=))${gap}${N}`, only("less_than")],
  [`${begins}within ${N}(?!\\s*${percent} of\\b)`, only("at_most")],
  [
    `(?:\\bexactly|\\bprecisely|\\bequal(?:s|ing)?(?: to)?|${must} (?:be|equal)|==?|\\bexpected:?)\\s*${N}${unless}`,
    only("exactly"),
  ],
  [
    `${N}\\s*${percent}\\s*(?:(?:[a-z]+ )?(?:or|and) (?:more|higher|greater|above|better|larger|up|upwards?|over|longer)\\b|(?:is |as |being )?(?:the |a |an )?(?:absolute |hard |bare )?(?:minimum|min\\b|lower (?:limit|bound))|at (?:the )?(?:very )?least|at (?:a |the )?min(?:imum)?\\b|upwards?\\b|\\+(?=[\\s.,;)]|$))`,
    only("at_least"),
  ],
  [
    `${N}\\s*${percent}\\s*(?:(?:[a-z]+ )?(?:or|and) (?:less|fewer|lower|below|smaller|under|shorter)\\b|(?:is |as |being )?(?:the |a |an )?(?:absolute |hard )?(?:maximum|max\\b|upper (?:limit|bound)|limit\\b|ceiling|cap\\b|tops\\b)|at (?:the )?(?:very )?most|at (?:a |the )?max(?:imum)?\\b)`,
    only("at_most"),
  ],
  [
    `${begins}(?:is |are |must be )?(0|zero)(?:(?: [a-z]+){0,2} ${faults}| [a-z]+ (?:is |are )?allowed)?${ends}`,
    only("exactly"),
  ],
  [
    `${begins}(?:no|none|zero) (?:[a-z]+ )?(?:is |are )?(allowed)${ends}`,
    () => [{ kind: "exactly", limit: 0, unit: "" }],
  ],
  // "40 characters" is how long a text is; "the first 40 characters" is not.
  [
    `(?:${begins}|\\b(?:of|be|is|has|have|with|string) )(?:an? )?${N}[- ](?:characters?|chars?|letters)(?= long\\b|${ends.slice(3)}`,
    only("exactly"),
  ],
  // A full score: 10/10.
  [`${begins}(-?\\d+(?:\\.\\d+)?)\\s*/\\s*${N}${ends}`, fullScore],
];

/** "in [0, 1)": the bracket says whether the end belongs to it. */
function intervals(): (readonly [string, Read])[] {
  const lead =
    "(?:∈|\\b(?:in|within|between|range|interval|integer|int|number|float|decimal|score|value)(?: of| is| the (?:range|interval))?:?)\\s*";
  return (["\\[", "\\("] as const).flatMap((open) =>
    (["\\]", "\\)"] as const).map((close): readonly [string, Read] => [
      `${lead}\`?${open}\\s*${N}\\s*(?:[,;]|\\.\\.\\.?)\\s*${N}\\s*${close}`,
      both(open === "\\[" ? "at_least" : "more_than", close === "\\]" ? "at_most" : "less_than"),
    ]),
  );
}

/** Words that compare with whatever follows them. */
export const comparingWords: readonly (readonly [string, Kind])[] = [
  [`${equalThan(up)}|${least}`, "at_least"],
  [`${equalThan(down)}|${most}`, "at_most"],
  ["\\b(?:other than|differ(?:s|ent)? (?:from|than)|unequal to)|≠|!==?|<>", "other_than"],
  [`\\b${up}(?: than)?|(?<![=<-])>(?!=)`, "more_than"],
  [`\\b${down}(?: than)?|(?<![=])<(?!=)`, "less_than"],
  ["\\bexactly|\\bequal(?:s|ing)?(?: to)?|\\b(?:the )?same as|\\bidentical (?:to|with)|==?", "exactly"],
];

/** Every way to write a limit, in the order in which they are looked for. */
export const phrases: readonly Phrase[] = sources.map(([pattern, read]) => ({
  pattern: new RegExp(pattern, "giu"),
  read,
}));
