import { isObject, type Json } from "../../workflow/json.ts";
import type { FindingCode } from "./codes.ts";
import type { Mend } from "./finding.ts";
import { dropRepeatedNames, setKey } from "./json-edits.ts";
import type { JsonPath } from "./json-scan.ts";
import { actionAt, behaviorAt, namelessAt, repeatedAt, unusableListAt } from "./listed-places.ts";

/** What the loader's words come to: a code, the place in the file, and what to do. */
export type Meaning = {
  readonly code: FindingCode;
  readonly fix: string;
  readonly at?: JsonPath;
  readonly mend?: Mend;
};

/** Finds what a message of the loader means; `document` is what the file says, where it is JSON that can be read. */
export function meaningOf(message: string, document: Json | undefined): Meaning {
  for (const [says, meaning] of words) {
    const match = says.exec(message);
    if (match !== null) return meaning(match.slice(1).map(String), document);
  }
  return { code: "cannot-be-used", fix: "Mend what stands there, or delete it." };
}

type Words = readonly [RegExp, (parts: readonly string[], document: Json | undefined) => Meaning];

const words: readonly Words[] = [
  // configs
  [/^the action config is missing$/, () => ({ code: "missing-action-config", fix: addConfig })],
  [
    /it must hold a JSON object$|must be a JSON object$/,
    () => ({ code: "wrong-type", fix: "Write an object: { … }." }),
  ],
  [/malformed: (workflow|next_action|order) must/, ([key = ""]) => wrong([key])],
  [/^(project_area) must be a path/, ([key = ""]) => wrong([key])],
  [/^(behaviors|external_edits|strict) must be/, ([key = ""]) => wrong([key])],
  [/^order must be a number, not a text/, (_, document) => orderAsText(document)],
  [/^(name|description|goal|trigger_words|auto_progress) must be/, ([key = ""]) => ignored([key])],
  // behaviors
  [/^the bot has no behaviors$/, () => ({ code: "no-behaviors", at: ["behaviors"], fix: "List the bot's behaviors." })],
  [/^an entry of behaviors has no name/, (_, document) => ignored(namelessAt(document))],
  [/^(.+) is listed twice/s, ([name = ""], document) => repeated(name, document)],
  [/^the folder of (.+) does not exist$/s, ([name = ""], document) => missingFolder(name, document)],
  [/^the folders .+ are both named (.+); /s, ([name = ""], document) => twoFolders(name, document)],
  [/lists the actions of .+ too, and that list counts$/s, () => twoLists],
  [/^actions (?:must be a list|lists nothing)/, (_, document) => unusableList(document)],
  [/^entry \d+ of actions has no name/, (_, document) => unusableList(document)],
  [
    /^the key "(.*)" of (.+) is not understood and changes/s,
    ([key = "", name = ""], document) => strange(key, name, document),
  ],
  [/^skip of (.+) must be a reason/s, ([name = ""], document) => ignored([...actionAt(name, document), "skip"])],
  [/^skip of (.+) has no reason/s, ([name = ""], document) => noReason(name, document)],
  [/^(.+) is listed as an action of the behavior/s, ([name = ""], document) => unknownListed(name, document)],
  [
    /^(.+) is independent \(workflow: false\) and cannot/s,
    ([name = ""], document) => independentListed(name, document),
  ],
  // sequences
  [
    /^next_action ".*" of .+ does not exist$/s,
    () => next("dangling-next-action", "Name an action that exists, or null."),
  ],
  [
    /^next_action .+ leads back/s,
    () => next("cyclic-next-action", "Name an action that comes later, or null on the last."),
  ],
  [
    /^next_action .+ is an independent action/s,
    () => next("next-action-is-independent", "Name an action of the sequence."),
  ],
  [/^there is no workflow action/, () => ({ code: "no-actions", fix: "Add an action with workflow: true." })],
  [
    /has the same order as/,
    () => ({ code: "duplicate-order", at: ["order"], fix: "Give each action an order of its own." }),
  ],
  [/^workflow of .+ is set by the base action/s, () => changesWorkflow],
  [/^it changes nothing: /, () => ({ code: "idle-override", fix: "Name the folder as an action, or delete it." })],
  // bots
  [/^a second bot is named/, () => ({ code: "duplicate-bot", at: ["name"], fix: "Give this bot a name of its own." })],
  [/^a second action is named/, () => ({ code: "duplicate-action", fix: "Rename this action, or delete its folder." })],
  [/lies outside the root$/, () => outsideRoot],
];

const addConfig = "Add an action_config.json, or delete the folder.";
const twoLists: Meaning = { code: "two-action-lists", at: ["actions"], fix: "Keep one of the two lists." };
const outsideRoot: Meaning = {
  code: "project-area-outside-root",
  at: ["project_area"],
  fix: "Name a folder inside the root.",
};
const changesWorkflow: Meaning = {
  code: "override-sets-workflow",
  at: ["workflow"],
  fix: "Delete the key, and skip the action with a reason in the behavior's list of actions.",
};

function wrong(at: JsonPath): Meaning {
  return { code: "wrong-type", at, fix: `Mend the value of ${String(at.at(-1))}.` };
}

function ignored(at: JsonPath): Meaning {
  return { code: "wrong-type-ignored", at, fix: "Mend the value, or delete it." };
}

function next(code: FindingCode, fix: string): Meaning {
  return { code, at: ["next_action"], fix };
}

function orderAsText(document: Json | undefined): Meaning {
  const written = isObject(document) ? document.order : undefined;
  return { ...ignored(["order"]), fix: "Write it without quotes.", mend: setKey("order", Number(written)) };
}

function repeated(name: string, document: Json | undefined): Meaning {
  const { at, isBare } = repeatedAt(name, document);
  const list = at.slice(0, -1);
  const code = list.at(-1) === "actions" ? "duplicate-listed-action" : "duplicate-behavior";
  const meaning: Meaning = { code, at, fix: "Delete the second entry." };
  return isBare ? { ...meaning, mend: dropRepeatedNames(list) } : meaning;
}

function missingFolder(name: string, document: Json | undefined): Meaning {
  const fix = "Make the folder, or mend its name.";
  return { code: "missing-behavior-folder", at: [...behaviorAt(name, document), "folder"], fix };
}

function twoFolders(name: string, document: Json | undefined): Meaning {
  return { code: "two-behavior-folders", at: behaviorAt(name, document), fix: "Rename or delete one of the folders." };
}

function unusableList(document: Json | undefined): Meaning {
  const fix = "List the names of the actions, in order.";
  return { code: "unusable-action-list", at: unusableListAt(document), fix };
}

function strange(key: string, name: string, document: Json | undefined): Meaning {
  const fix = "Use name, skip, reason or description, or delete the key.";
  return { code: "unknown-key", at: [...actionAt(name, document), key], fix };
}

function noReason(name: string, document: Json | undefined): Meaning {
  const fix = 'Say why: "skip": "the reason".';
  return { code: "skip-without-reason", at: [...actionAt(name, document), "skip"], fix };
}

function unknownListed(name: string, document: Json | undefined): Meaning {
  const fix = "Name an action that exists, or add it to base_actions.";
  return { code: "unknown-listed-action", at: actionAt(name, document), fix };
}

function independentListed(name: string, document: Json | undefined): Meaning {
  const fix = "Take it out of the list: an independent action can be run any time.";
  return { code: "independent-action-listed", at: actionAt(name, document), fix };
}
