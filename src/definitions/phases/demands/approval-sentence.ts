import { person, word } from "./approval-label.ts";

/** Where a text asks for a person's word, or says that none is needed: the place in it; in a gate less is enough. */
export function findApprovalSentences(
  text: string,
  inGate: boolean,
): readonly { readonly asked: boolean; readonly at: number }[] {
  return sentencesOf(text).flatMap(({ words, at }) => {
    if (!spoken.test(words)) return [];
    if (hold.test(words) || only.test(words)) return [{ asked: true, at }];
    const found = (inGate ? [...anywhere, ...inGates] : anywhere).map((one) => one.exec(words)).find(Boolean);
    if (!found) return [];
    if (conditional.test(words)) return inGate ? [{ asked: true, at }] : [];
    return [{ asked: !denied.test(words.slice(0, found.index + found[0].length)), at }];
  });
}

/** Tells whether a checkbox is about what a person must do, so that the assistant's yes is not enough. */
export function isOfPerson(text: string): boolean {
  return !/\b(?:no|not|never|without)\b/i.test(text) && ofPerson.some((one) => one.test(text));
}

/** Without one of these words no sentence is about it; most have none. */
const spoken =
  /approv|sign|go-ahead|consent|green light|confirm|permission|response|feedback|answer|decision|reply|ok/i;

function sentencesOf(text: string): { readonly words: string; readonly at: number }[] {
  return [...text.matchAll(/(?:[^.!?;]|[.!?;](?=\S))+/g)].map(({ 0: words, index }) => ({
    words: words.trim(),
    at: index + words.length - words.trimStart().length,
  }));
}

const who = `(?:(?:the|an?|your|our|my|another|one|any|each|every)\\s+)*(?:[\\p{L}-]+\\s+){0,2}?${person}`;
const of = (pattern: string): RegExp => new RegExp(pattern, "iu");

/** "Do not proceed without …", "stop until …": two refusals are a demand. */
const hold = of(
  `\\b(?:do not|don['’]t|never|cannot|can['’]t|must not|may not|stop|halt|pause|hold|nobody may|no one may)\\b[^:]{0,120}\\b(?:without|until|unless|before)\\b.{0,120}\\b(?:${word}|approv(?:es?|ed)|signs?(?: it)? off|signed off|(?:${person})\\b.{0,20}\\bconfirm(?:s|ed|ation)?)\\b`,
);

/** "Only after the user has approved", "complete once approval is there, and not before". */
const only = of(
  `\\bonly\\b.{0,40}\\b(?:after|once|when|with|if|upon)\\b.{0,60}\\b(?:${word}|approv(?:es?|ed)|signed off)`,
);

const lead = "(?:^|[:–—]\\s*|\\b(?:then|and|please|also|must|to|should|shall)\\s+)";
const mid = "(?:[\\p{L}'’-]+\\s+){0,4}?";
/** What is worked on in a phase; what else needs approval is another matter. */
const matters =
  "(?:phases?|steps?|plans?|designs?|gates?|checkpoints?|stages?|tasks?|work|specs?|specifications?|documents?|changes?|results?|proposals?|drafts?|outputs?|deliverables?|reports?|reviews?|releases?|deployment|architecture|scope|requirements|approach|migration|schema|budget|findings|list|summary|code|pr|pull request|merge|rollout|cutover|decision|outline|strategy|estimate)";
const work = `(?:^|[:–—,]\\s*)(?:(?:the|this|that|each|every|your|all|these|its)\\s+)*(?:(?:[\\p{L}-]+\\s+)?(?:${matters}|proceeding|continuing|advancing|completion|moving on)|it|this|they|^)\\s*`;

/** What is approved: nothing named, or what the phase is about; "approve each order" is told of the product. */
const object = `(?:\\s*$|\\s*,|\\s+(?:on\\s+)?(?:(?:the|this|that|your|all|its|their|these)\\s+)*(?:[\\p{L}-]+\\s+){0,2}?(?:${matters}|it|this|them|that|before|first|prior|explicitly|approval|consent)\\b)`;
const answer = "(?:confirmation|response|feedback|answer|decision|reply|okay|ok)\\b";

const anywhere = [
  of(`\\b${person}\\b.{0,120}\\b(?:wait for|await|wait until)\\s+${mid}${answer}`),
  of(`${lead}(?:wait for|await|get|obtain)\\s+${mid}(?:confirmation|permission)\\s+(?:from|of|by)\\s+${who}`),
  // "human approval is required", "requires an explicit user approval", "must be approved by a person"
  of(
    `\\b(?:human|manual|person(?:['’]s)?|user(?:['’]s)?|explicit|final|reviewer|stakeholder|lead|maintainer|manager|owner)\\s+(?:${word}|review and approval)\\s+(?:is\\s+|are\\s+)?(?:required|mandatory|needed|must be)`,
  ),
  of(
    `\\b(?:requires?|needs?|wait for|obtain|must have)\\s+(?:an?\\s+|the\\s+)?(?:explicit\\s+)?(?:human|manual|person(?:['’]s)?|user(?:['’]s)?|explicit|final|reviewer|stakeholder|lead|maintainer|manager)\\s+${word}`,
  ),
  of(
    "\\bmust be (?:reviewed and )?(?:approved|signed off) by (?:an?\\s+|the\\s+)?(?:human|person|user|reviewer|maintainer)",
  ),
  of(
    `^(?:[\\p{L}-]+\\s+)?${word}\\s+(?:from\\s+${who}\\s+)?(?:is|are|must be)\\s+(?:also\\s+)?(?:required|mandatory|needed|obtained|given|granted|received)`,
  ),
  of(
    `${lead}(?:wait for|await|wait until|pause for|stop for)\\s+${mid}(?:${word}|(?:${person})\\b.{0,30}\\b(?:approv|sign|confirm))`,
  ),
  of(
    `${lead}(?:obtain|get|seek|request|secure|ask for|collect)\\s+${mid}${word}(?:\\s+(?:from|of|by|before|to)\\b|\\s*$)`,
  ),
  of(
    `${lead}(?:ask|have|let|get)\\s+${who}\\s+(?:to\\s+)?(?:review and\\s+)?(?:approve|sign(?:\\s+it)?[ -]?off|confirm)${object}`,
  ),
  of(
    `\\b${person}\\s+(?:must|has to|have to|needs? to|shall)\\s+(?:explicitly\\s+|first\\s+|also\\s+)*(?:review and\\s+)?(?:approve|sign(?:\\s+it)?[ -]?off|confirm|give)${object}`,
  ),
  of(`${work}(?:also\\s+)?(?:requires?|needs?)\\s+${mid}(?:${word})`),
  of(
    `${work}(?:must|needs? to|has to|have to|shall)\\s+be\\s+(?:reviewed and\\s+)?(?:approved|signed off|confirmed)\\s+by\\s+${who}`,
  ),
];

/** In a gate a person's word is asked for by naming it. */
const inGates = [
  of(
    `^(?:the\\s+)?${mid}(?:human|manual|user|owner|manager|stakeholder|lead|reviewer|${person})(?:['’]s)?\\s+${word}\\b`,
  ),
  of(`^(?:written\\s+|explicit\\s+|formal\\s+|final\\s+)?${word}\\s+(?:from|by|of)\\s+`),
  of(`\\b(?:requires?|needs?|must|required)\\b.{0,40}\\b(?:${word}|approved|signed off)\\b`),
  of(`\\b(?:approved|signed off|confirmed)\\s+by\\s+${who}`),
  of(`\\b${person}\\s+(?:has\\s+|have\\s+)?(?:explicitly\\s+)?(?:approves?|approved|signed off|signs off)\\b`),
];

const ofPerson = [
  of(
    `\\b${person}\\s+(?:has\\s+|have\\s+)?(?:explicitly\\s+)?(?:reviewed and\\s+)?(?:approves?|approved|signed off|signs off|confirms|confirmed)\\b`,
  ),
  of(`\\b(?:approved|signed off|confirmed)\\s+by\\s+${who}\\b`),
  of(`\\b(?:human|manual|user|${person})(?:['’]s)?\\s+${word}\\b`),
  of(
    `^\\W*(?:the\\s+)?${mid}${word}\\s+(?:from\\b|by\\b|(?:is\\s+|was\\s+|has been\\s+)?(?:obtained|received|given|granted|required)\\b)`,
  ),
  of(`^\\W*(?:obtain|get|await|wait for|receive|request)\\s+${mid}${word}\\b`),
];

const denied = /\b(?:no|not|never|without|doesn['’]t|don['’]t|isn['’]t|neither|needn['’]t|optional(?:ly)?)\b/i;
const conditional = /^(?:if|when|once|after|in case|where)\b/i;
