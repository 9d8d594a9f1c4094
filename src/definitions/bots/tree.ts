import type { Gate } from "../../evidence/gate.ts";
import type { Json, JsonObject } from "../../evidence/json.ts";
import type { JsonPath } from "../json-place.ts";
import type { Flaw } from "../problem.ts";

/** One action folder as it stands on disk; `config` is absent where it cannot be read (`broken` then says why). */
export type ActionFolder = {
  readonly name: string;
  readonly folder: string;
  readonly config?: ActionConfig;
  readonly broken?: Flaw;
  /** The config file is not there at all, and neither are instructions: most likely no action. */
  readonly stray: boolean;
};

export type ActionConfig = {
  readonly name: string;
  readonly workflow: boolean;
  readonly order: number | null;
  /** Absent: the key is missing, and the next by order follows. */
  readonly next?: string | null;
  /** Whether it goes on without a person's word; `if_proved`: where checks prove it. */
  readonly auto: boolean | "if_proved";
};

/** One behavior: its folder, where there is one, and the sequence it sets for itself, where it does. */
export type BehaviorFolder = {
  readonly name: string;
  /** Where the bot's config lists it. */
  readonly at?: JsonPath;
  readonly folder?: string;
  readonly actions?: readonly ListedAction[];
  /** Actions that it speaks of and that stand in no sequence. */
  readonly aside?: readonly ListedAction[];
  /** The path of the file that lists them. */
  readonly actionsFile?: string;
  /** What the behavior's own folder says about single actions. */
  readonly overrides?: readonly ActionOverride[];
  /** Its sequence cannot be known. */
  readonly broken?: Flaw;
};

/** An action's folder inside a behavior: it changes that action for this behavior, or adds one that only this behavior has. */
export type ActionOverride = {
  readonly name: string;
  readonly folder: string;
  /** The keys that the override's config sets; absent where it has no config. */
  readonly config?: Partial<ActionConfig>;
  readonly broken?: Flaw;
};

export type ListedAction = {
  readonly name: string;
  /** Where the file lists it. */
  readonly at?: JsonPath;
  readonly skip?: string;
  readonly order?: number;
  /** What follows it, as its entry says. */
  readonly next?: string;
  /** What this behavior tells the assistant at this action. */
  readonly instructions?: Json;
};

/** A bot as it stands on disk, at this moment. */
export type BotTree = {
  readonly name: string;
  readonly folder: string;
  /** As a reader knows it: from the folder that holds the definitions. */
  readonly configFile: string;
  readonly description?: string;
  readonly goal?: string;
  readonly triggerWords: readonly string[];
  /** Relative to the root, where the bot names one. */
  readonly projectArea?: string;
  readonly behaviors: readonly BehaviorFolder[];
  readonly actions: readonly ActionFolder[];
  /** The whole bot_config.json. */
  readonly config: JsonObject;
  /** What the bot is cannot be known: nothing may be done with it until this is mended. */
  readonly broken?: Flaw;
  /** What its author should know, `broken` among it. */
  readonly problems: readonly Flaw[];
};

/** Gates by action name, for one behavior: its own override before the base action's. */
export type ReadGate = (behavior: BehaviorFolder, action: string) => Gate | undefined;
