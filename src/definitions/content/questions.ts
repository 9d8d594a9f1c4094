import { isObject, type Json } from "../../kit/json.ts";
import type { LoaderProblem } from "../loader-problem.ts";
import { findFiles, findFolders, materialName } from "./find-material-files.ts";
import { instructionsIn } from "./instructions.ts";
import { itemLine, itemsOf } from "./item-line.ts";
import { type MaterialFound, type MaterialSource, onePiece, readMaterial } from "./material-source.ts";

const questionKeys = ["questions", "key_questions"];
const evidenceKeys = ["evidence", "required_evidence", "evidence_wanted", "provide"];

/** Finds a behavior's context: numbered questions, and the evidence to collect. */
export function findContext(source: MaterialSource): {
  readonly questions: MaterialFound;
  readonly evidence: MaterialFound;
} {
  const { folder } = source.behavior;
  const names = ["key_questions", "questions", "required_context", "evidence"];
  const folders = [
    ...findFolders(source.definitions, folder, "required_context"),
    ...findFolders(source.definitions, folder, "guardrails", "required_context"),
  ];
  const files = [
    ...findFiles(source.definitions, folder, [".json", ".md"], names),
    ...folders.flatMap((place) => findFiles(source.definitions, place, [".json", ".md"])),
  ].filter((file) => materialName(file) !== "instructions");
  const problems: LoaderProblem[] = [];
  const leads = folders.flatMap((place) => instructionsIn(source, place, problems));
  const parts = files.map((file) =>
    sort(readMaterial(source, file, problems), /evidence|provide/i.test(materialName(file))),
  );
  const lines = (items: readonly Json[]): string[] => [...new Set(items.map(itemLine))].filter((line) => line !== "");
  const questions = lines(parts.flatMap((part) => part.questions)).map((line, index) => `${index + 1}. ${line}`);
  const evidence = lines(parts.flatMap((part) => part.evidence)).map((line) => `- ${line}`);
  return {
    questions: { pieces: onePiece("key_questions", questions.join("\n")), leads, problems },
    evidence: { pieces: onePiece("evidence", evidence.join("\n")), problems },
  };
}

/** Finds the guardrails that apply to all work of a behavior. */
export function findGuardrails(source: MaterialSource): MaterialFound {
  const problems: LoaderProblem[] = [];
  const folders = findFolders(source.definitions, source.behavior.folder, "guardrails");
  return { pieces: [], leads: folders.flatMap((place) => instructionsIn(source, place, problems)), problems };
}

/** Sorts a file's items into questions and evidence, by its keys or its name. */
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
