import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import type { Calls } from "../../gates/calls.ts";
import type { Condition } from "../../gates/condition.ts";
import type { Gate } from "../../gates/gate.ts";
import type { Json, JsonObject } from "../../kit/json.ts";
import type { JsonPath } from "../files/json-locations.ts";
import type { LoaderProblem } from "../loader-problem.ts";

/** One action folder on disk; `config` is absent if it cannot be read (`broken` says why). */
export type ActionFolder = {
  readonly name: string;
  readonly folder: string;
  readonly config?: ActionConfig;
  readonly broken?: LoaderProblem;
  /** True if it has neither a config nor instructions, so it is probably not an action. */
  readonly stray: boolean;
};

export type ActionConfig = {
  readonly name: string;
  readonly workflow: boolean;
  readonly order: number | null;
  /** Absent if the key is missing; the next action by order follows. */
  readonly next?: string | null;
  /** True if it proceeds without approval; `if_proved` only if checks prove it. */
  readonly auto: boolean | "if_proved";
};

/** One behavior with its folder and its own sequence, if it has them. */
export type BehaviorFolder = {
  readonly name: string;
  /** Its location in the bot's config. */
  readonly at?: JsonPath;
  /** Its place by its own config. */
  readonly order?: number;
  readonly folder?: string;
  readonly actions?: readonly ListedAction[];
  /** Actions that it configures outside its sequence. */
  readonly independent?: readonly ListedAction[];
  /** The path of the file that lists them. */
  readonly actionsFile?: string;
  /** Overrides of single actions in the behavior's folder. */
  readonly overrides?: readonly ActionOverride[];
  /** The reason its sequence is unknown. */
  readonly broken?: LoaderProblem;
};

/** An action's folder inside a behavior, which changes that action or adds one for this behavior. */
export type ActionOverride = {
  readonly name: string;
  readonly folder: string;
  /** The keys that the override's config sets; absent without a config. */
  readonly config?: Partial<ActionConfig>;
  readonly broken?: LoaderProblem;
};

export type ListedAction = {
  readonly name: string;
  /** Its location in the file that lists it. */
  readonly at?: JsonPath;
  readonly skip?: string;
  /** The step is passed over if this is false. */
  readonly when?: Condition;
  /** The workflow that does its work. */
  readonly calls?: Calls;
  readonly order?: number;
  /** Its successor according to its entry. */
  readonly next?: string;
  /** Instructions that this behavior adds to the action. */
  readonly instructions?: Json;
};

/** A bot as it is on disk. */
export type BotTree = {
  /** The snapshot it was read from. */
  readonly definitions: DefinitionSnapshot;
  readonly name: string;
  readonly folder: string;
  /** Relative to the folder that contains the definitions, for messages. */
  readonly configFile: string;
  readonly description?: string;
  readonly goal?: string;
  readonly triggerWords: readonly string[];
  /** Relative to the root, if the bot names one. */
  readonly projectArea?: string;
  readonly behaviors: readonly BehaviorFolder[];
  readonly actions: readonly ActionFolder[];
  /** The whole bot_config.json. */
  readonly config: JsonObject;
  /** The problem that makes the bot unusable until it is fixed. */
  readonly broken?: LoaderProblem;
  /** Everything its author should know, including `broken`. */
  readonly problems: readonly LoaderProblem[];
};

/** Reads the gate of an action in one behavior, its override before the base action's. */
export type ReadGate = (behavior: BehaviorFolder, action: string) => Gate | undefined;
