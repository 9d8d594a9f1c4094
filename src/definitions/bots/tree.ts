import type { Gate } from "../../workflow/gate.ts";
import type { JsonObject } from "../../workflow/json.ts";
import type { Problem } from "../../workflow/workflow.ts";

/** One action folder as it stands on disk; `config` is absent where it cannot be read (`broken` then says why). */
export type ActionFolder = {
  readonly name: string;
  readonly folder: string;
  readonly config?: ActionConfig;
  readonly broken?: Problem;
  /** The config file is not there at all, and neither are instructions: most likely no action. */
  readonly stray: boolean;
};

export type ActionConfig = {
  readonly name: string;
  readonly workflow: boolean;
  readonly order: number | null;
  /** Absent: the key is missing, and the next by order follows. */
  readonly next?: string | null;
  readonly auto: boolean;
};

/** One behavior: its folder, where there is one, and the sequence it sets for itself, where it does. */
export type BehaviorFolder = {
  readonly name: string;
  readonly folder?: string;
  readonly actions?: readonly ListedAction[];
};

export type ListedAction = { readonly name: string; readonly skip?: string };

/** A bot as it stands on disk, at this moment. */
export type BotTree = {
  readonly name: string;
  readonly folder: string;
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
  readonly problems: readonly Problem[];
};

/** Gates by action name, for one behavior: its own override before the base action's. */
export type ReadGate = (behavior: BehaviorFolder, action: string) => Gate | undefined;
