/** True for words so common that they distinguish no text. */
export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

const stopWords: ReadonlySet<string> = new Set(
  `a about after all also am an and any are as at be because been before being between both but by can could did do does
  doing during each for from further had has have having he her here hers him his how i if in into is it its itself me
  more most my no nor not of off on once only or other our out over own same she should so some such than that the their
  them then there these they this those through to too under until up us very was we were what when where which while
  who whom why will with would you your`.split(/\s+/),
);
