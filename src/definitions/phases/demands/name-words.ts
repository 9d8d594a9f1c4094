/** "a, along with `b`", "a. It is accompanied by `b`": as good as "and". */
export const accompanying =
  /\b(?:along with|together with|combined with|paired with|in addition to|accompanied by|as well as|plus|followed by|and also|alongside|besides|(?:must|shall|also|and|to)\s+(?:also\s+)?(?:provide|submit|supply))\s*(?:the |an? |your |its |also |optional(?:ly)? )*[("“]*$/i;

/** Tells whether what follows is inside of another field: "each with `id` and `name`". */
export function isInside(between: string): boolean {
  return (
    /\b(?:whose|having|has|have|containing|consisting of|composed of|keyed by|keys?|propert(?:y|ies)|columns?)\b/i.test(
      between,
    ) || /\b(?:each|every|all)\b.{0,30}\b(?:with|contains?|of|by)\b/i.test(between)
  );
}

/** "(list", ": text", ", a list of": words right after a name that say what it is. */
export function isTold(after: string): boolean {
  return /^\s*[:(=–—]/.test(after) || typed.test(after) || typed.test(after.replace(/^\s*,\s*(?:an?|the)\s+/i, ""));
}

/** Tells whether a name that comes up again is told more of. */
export function isToldMore(after: string): boolean {
  return /^\s*(?:[:(=<>≥≤]|(?:is|are|must|should|at|equals?|greater|less|more|no)\b)/i.test(after);
}

/** A type right after a name: "(integer", "list of". */
export const typed =
  /^\s*\(?\s*(?:an? )?(?:integer|int|list|array|string|boolean|bool|flag|count|number|text|object|float)\b/i;

/** What a name in backticks is the name of, where it is no field's. */
export const things =
  /^\s*(?:commands?|tools?|scripts?|files?|functions?|modules?|class(?:es)?|methods?|packages?|librar(?:y|ies)|branch(?:es)?|folders?|director(?:y|ies)|endpoints?|tables?|pages?|repos?(?:itor(?:y|ies))?|suites?|fixtures?|hooks?|jobs?|pipelines?|workflows?)\b/i;

/** Tells whether a name in backticks is the one of a tool, a place or a value: "run `jest`", "on branch `main`", "is `green`". */
export function isAside(before: string, after: string): boolean {
  return (
    aside.test(before) ||
    things.test(after) ||
    /\b(?:is|are|be|on|at|of|for|branch|command|tool|file|function|module|under|inside|against|through|across|between|or|merged|deployed|pushed)\s*["“(]*$/i.test(
      before,
    )
  );
}

/** What follows these words is a value, a tool or another field. */
export const aside =
  /\b(?:by|via|using|with|from|in|into|running|run|runs|executing|execute|than|exceeds?|exceeding|above|below|beyond|see|like|e\.g\.,?|i\.e\.,?|such as|contains?|containing|include|includes|including|equals?|equal to|exactly|matches|matching|least|most|per|to|calling|call|named after|instead of|not|without|unless|if|when)\s+(?:the |an? |command |tool |file |function |output of )*["“(]*$/i;

/** What follows these words is one of several values. */
export const choosing =
  /\b(?:one of|either|allowed values?|possible values?|must be|may be|is|equals?|values?)\b\s*[:=]?\s*(?:["“'\w-]+["”']?\s*(?:,\s*or\b|,|\bor\b|\/|\|)\s*)*(?:or\s+)?$/i;
