import type { JsonObject } from "../kit/json.ts";
import type { OpenCommand } from "../workflow/command.ts";
import type { ContentItem } from "./ports/content.ts";

/** A request to open a step. */
export type OpenRequest = Omit<OpenCommand, "kind"> & {
  /** Only this part of the step. */
  readonly part?: string;
  /** A relayed approval, for what changes a definition. */
  readonly confirmation?: string;
};

/** A request to complete a step. */
export type CompleteRequest = {
  readonly workflow?: string;
  readonly step?: string;
  readonly outputs?: JsonObject;
  readonly evidence?: JsonObject;
  readonly content?: readonly ContentItem[];
  readonly confirmation?: string;
  /** The attempt that it completes, as the reply that opened it named it. */
  readonly attempt?: string;
  /** The reason why the step cannot be done as asked. */
  readonly blocked?: string;
};

/** A request to start a session. */
export type StartRequest = {
  readonly type: string;
  readonly target?: string;
  readonly options?: JsonObject;
  readonly inputs?: JsonObject;
  /** Inputs as typed at a terminal, to be read by their declared types. */
  readonly inputTexts?: { readonly [name: string]: string };
};
