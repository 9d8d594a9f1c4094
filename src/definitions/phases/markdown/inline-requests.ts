import { asksFor } from "./places.ts";

/** A request inside a line: the words before it and what it asks for. */
export type InlineRequest = { readonly before: string; readonly asked: string };

/** Finds a request inside a line, such as "must provide", "Evidence: …" and "Done when …". */
export function inlineRequest(text: string): InlineRequest | undefined {
  const provided = /^(.*?)\bmust (?:also )?provide\b[:,]*(?:\*\*)?[:,]*\s+(.*)$/is.exec(text);
  if (provided !== null) return requestOf(provided[1], provided[2]);
  const done =
    /^[^\p{L}]*((?:(?:this|the|phase|step|it|you|we)\b[\p{L}\p{N}\s]{0,30}?(?:\b(?:is|are)|['’](?:s|re)) )?(?:done|complete|finished|ready) (?:only )?(?:when|once|if))\b[:*\s]*(.+)$/isu.exec(
      text,
    );
  if (done !== null) return requestOf("", done[2]);
  const indicated = /^(.*?)\b(evidence|checkpoint|required)\b(?:\*\*)?\s*:(?:\*\*)?\s*(.*)$/is.exec(text);
  const isOwn = indicated?.[2]?.toLowerCase() !== "required" || isSubject(indicated[1] ?? "");
  if (indicated !== null && isOwn) return requestOf(isSubject(indicated[1] ?? "") ? "" : indicated[1], indicated[3]);
  const [, label = "", rest] = /^([^:`.!?]{2,60}?)(?::(?:\*\*)?|\s+[–—-])\s+(\S.*)$/s.exec(text) ?? [];
  const isLabel =
    label.trim().split(/\s+/).length <= 8 && !/\s(?:is|are|was)\s+(?!done|complete|finished)/i.test(label);
  if (isLabel && asksFor(label)) return requestOf("", rest);
  const told =
    /^(?:.*?[.!]\s+)?(?:(?:when|once|after|then|finally|at the end)\b[^,.]{0,40},\s+)?(?:please )?(?:hand in|turn in|report back|bring back|(?:send|show|give|tell|hand|bring) (?:me|us)|(?:i|we) (?:also )?need(?! to\b)|(?:provide|submit|supply|deliver|report|record)(?= (?:the |your )?`[\p{L}_][\p{L}\p{N}_]*`))[,:]?\s+(.+)$/isu.exec(
      text,
    );
  return told === null ? undefined : requestOf("", told[1]);
}

function requestOf(before = "", asked = ""): InlineRequest | undefined {
  return /^\W*(?:(?:none|nothing|n\/a|no)\W*)?$/i.test(asked)
    ? undefined
    : { before: before.trim(), asked: asked.trim() };
}

/** Tells if the words before "required:" only announce it. */
function isSubject(words: string): boolean {
  const said = words.replaceAll(/[^\p{L}\s]/gu, "").trim();
  return said === "" || asksFor(said);
}
