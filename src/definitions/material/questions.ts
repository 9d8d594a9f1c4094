import { isObject, type Json } from "../../evidence/json.ts";
import type { Flaw } from "../problem.ts";
import { findFiles, findFolders, nameOf } from "./find-files.ts";
import { type Found, onePiece, readMaterial, type Source } from "./found.ts";
import { instructionsIn } from "./instructions.ts";
import { itemLine, itemsOf } from "./item-line.ts";

const questionKeys = ["questions", "key_questions"];
const evidenceKeys = ["evidence", "required_evidence", "evidence_wanted", "provide"];

/** What a behavior wants to know before it begins: questions, numbered, and the evidence to be given. */
export function findContext(source: Source): { readonly questions: Found; readonly evidence: Found } {
  const { folder } = source.behavior;
  const names = ["key_questions", "questions", "required_context", "evidence"];
  const folders = [
    ...findFolders(folder, "required_context"),
    ...findFolders(folder, "guardrails", "required_context"),
  ];
  const files = [
    ...findFiles(folder, [".json", ".md"], names),
    ...folders.flatMap((place) => findFiles(place, [".json", ".md"])),
  ].filter((file) => nameOf(file) !== "instructions");
  const problems: Flaw[] = [];
  const leads = folders.flatMap((place) => instructionsIn(source, place, problems));
  const parts = files.map((file) => sort(readMaterial(source, file, problems), /evidence|provide/i.test(nameOf(file))));
  const lines = (items: readonly Json[]): string[] => [...new Set(items.map(itemLine))].filter((line) => line !== "");
  const questions = lines(parts.flatMap((part) => part.questions)).map((line, index) => `${index + 1}. ${line}`);
  const evidence = lines(parts.flatMap((part) => part.evidence)).map((line) => `- ${line}`);
  return {
    questions: { pieces: onePiece("key_questions", questions.join("\n")), leads, problems },
    evidence: { pieces: onePiece("evidence", evidence.join("\n")), problems },
  };
}

/** What holds for all the work of a behavior, said before it begins. */
export function findGuardrails(source: Source): Found {
  const problems: Flaw[] = [];
  const folders = findFolders(source.behavior.folder, "guardrails");
  return { pieces: [], leads: folders.flatMap((place) => instructionsIn(source, place, problems)), problems };
}

/** A file says by its keys what is a question and what is evidence; without them its name does. */
function sort(value: Json | undefined, isEvidence: boolean): { questions: Json[]; evidence: Json[] } {
  if (isObject(value)) {
    const under = (keys: readonly string[]): Json[] => keys.flatMap((key) => itemsOf(value[key]));
    const [questions, evidence] = [under(questionKeys), under(evidenceKeys)];
    const known = [...questionKeys, ...evidenceKeys];
    const rest = itemsOf(Object.fromEntries(Object.entries(value).filter(([key]) => !known.includes(key))));
    if (questions.length + evidence.length > 0)
      return isEvidence
        ? { questions, evidence: [...rest, ...evidence] }
        : { questions: [...rest, ...questions], evidence };
  }
  const items = itemsOf(value);
  return isEvidence ? { questions: [], evidence: items } : { questions: items, evidence: [] };
}
