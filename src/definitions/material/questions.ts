import { isObject, type Json } from "../../workflow/json.ts";
import { findFiles, findFolders, nameOf } from "./find-files.ts";
import { type Found, readMaterial, type Source } from "./found.ts";
import { itemLine, itemsOf } from "./item-line.ts";

const questionKeys = ["questions", "key_questions"];
const evidenceKeys = ["evidence", "required_evidence", "evidence_wanted", "provide"];

/** The questions that a behavior wants answered before it begins, numbered. */
export function findQuestions(source: Source): Found {
  const { questions, warnings } = readContext(source);
  return { text: questions.map((question, index) => `${index + 1}. ${question}`).join("\n"), warnings };
}

/** The evidence that a behavior wants to be given. */
export function findEvidence(source: Source): Found {
  const { evidence, warnings } = readContext(source);
  return { text: evidence.map((piece) => `- ${piece}`).join("\n"), warnings };
}

type Context = { readonly questions: readonly string[]; readonly evidence: readonly string[]; warnings: string[] };

function readContext(source: Source): Context {
  const { folder } = source.behavior;
  const names = ["key_questions", "questions", "required_context", "evidence"];
  const folders = [
    ...findFolders(folder, "required_context"),
    ...findFolders(folder, "guardrails", "required_context"),
  ];
  const files = [
    ...findFiles(folder, [".json", ".md"], names),
    ...folders.flatMap((place) => findFiles(place, [".json", ".md"])),
  ];
  const warnings: string[] = [];
  const parts = files.map((file) => sort(readMaterial(source, file, warnings), /evidence|provide/i.test(nameOf(file))));
  const lines = (items: readonly Json[]): string[] => [...new Set(items.map(itemLine))].filter((line) => line !== "");
  return {
    questions: lines(parts.flatMap(({ questions }) => questions)),
    evidence: lines(parts.flatMap(({ evidence }) => evidence)),
    warnings,
  };
}

/** A file says by its keys what is a question and what is evidence; without them its name does. */
function sort(value: Json | undefined, isEvidence: boolean): { questions: Json[]; evidence: Json[] } {
  if (isObject(value)) {
    const under = (keys: readonly string[]): Json[] => keys.flatMap((key) => itemsOf(value[key]));
    const [questions, evidence] = [under(questionKeys), under(evidenceKeys)];
    if (questions.length + evidence.length > 0) return { questions, evidence };
  }
  const items = itemsOf(value);
  return isEvidence ? { questions: [], evidence: items } : { questions: items, evidence: [] };
}
