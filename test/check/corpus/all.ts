import type { Case } from "../broken-bot.ts";
import { actionCases } from "./actions.ts";
import { behaviorCases } from "./behaviors.ts";
import { botCases } from "./bots.ts";
import { fileCases } from "./files.ts";
import { gateCases } from "./gates.ts";
import { instructionCases } from "./instructions.ts";
import { ruleCases } from "./rules.ts";
import { standardCases } from "./standards.ts";
import { workflowCases } from "./workflows.ts";

/** Every broken and untidy bot. */
export const corpus: readonly Case[] = [
  ...fileCases,
  ...actionCases,
  ...instructionCases,
  ...behaviorCases,
  ...gateCases,
  ...ruleCases,
  ...botCases,
  ...workflowCases,
  ...standardCases,
];
