import type { EvidenceRule, EvidenceType } from "../../../workflow/gate.ts";

/** Reads that a path must be there: "path, must exist", "exists on disk", "the file must be present". */
export function existenceRules(words: string, type: EvidenceType, field: string): EvidenceRule[] {
  if ((type !== "string" && type !== "list") || isDenied.test(words)) return [];
  const isSaid = (things: string): boolean =>
    new RegExp(`\\b(?:${things})s? ${there}|\\bexisting (?:${things})s?\\b`, "i").test(words);
  const isPlain = isAlone.test(words) || onDisk.test(words);
  const about = `${words} ${field.replaceAll(/[_-]/g, " ")}`;
  if (isSaid("directory|directorie|folder") || (isPlain && /\b(?:director(?:y|ies)|folders?|dirs?)\b/i.test(about)))
    return [{ kind: "directory_exists" }];
  const isFile = /\b(?:files?|filename|paths?|documents?|reports?|logs?|screenshots?)\b/i.test(about);
  return isSaid("file|path|document|report") || onDisk.test(words) || (isPlain && isFile)
    ? [{ kind: "file_exists" }]
    : [];
}

const there =
  "(?:must |should |shall |has to |needs to |that |which |all |already )*(?:exists?\\b|(?:be|is|are) (?:present|there|found)\\b)";
/** What is said of the thing that the words are about: "(exists)", "must exist", "that is present". */
const isAlone =
  /(?:^|[(,;:|–—]|\s-)\s*(?:(?:it |they )?(?:must|has to|should|shall|needs to|that|which)(?: all| already)* )?(?:exists?|(?:be|is|are) (?:present|there))(?=\s*(?:$|[,;.)]|on\b|in\b|at\b|under\b))|\b(?:must|has to|should|shall|needs to)(?: all)? (?:already )?(?:exist|be present|be there)\b/i;
const onDisk =
  /\b(?:exists?|present) (?:on (?:the )?disk|in the (?:repo|repository|project|workspace|file ?system|tree))\b/i;
const isDenied =
  /\b(?:not|never|no longer) (?:yet )?(?:exist|be (?:present|there))\b|\bif (?:it|they|one) exists?\b|\b(?:any|whether|where) [^,;.]*\bexists?\b/i;
