import type { JsonObject } from "../evidence/json.ts";
import type { OpenCommand } from "../workflow/command.ts";
import type { ContentItem } from "./ports.ts";

/** What a caller asks to see. */
export type OpenRequest = Omit<OpenCommand, "kind"> & {
  /** Only this part of the step. */
  readonly part?: string;
  /** A person's word, for what changes a definition. */
  readonly confirmation?: string;
};

/** What a caller hands in to complete a step. */
export type CompleteRequest = {
  readonly workflow?: string;
  readonly step?: string;
  readonly outputs?: JsonObject;
  readonly evidence?: JsonObject;
  readonly content?: readonly ContentItem[];
  readonly confirmation?: string;
};

/** What a session is to be about. */
export type StartRequest = {
  readonly type: string;
  readonly target?: string;
  readonly options?: JsonObject;
};
