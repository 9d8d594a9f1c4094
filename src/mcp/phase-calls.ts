import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Connection, PhasedEngine } from "../engine/phased/phased-engine.ts";
import type { PhasedReply } from "../engine/phased/phased-reply.ts";
import type { Ask } from "../engine/reply.ts";
import { defined } from "./defined.ts";
import {
  completeAnswer,
  isFault,
  listAnswer,
  type PhaseAnswer,
  readAnswer,
  startAnswer,
  stateAnswer,
} from "./phase-reply.ts";
import { phaseText } from "./phase-text.ts";
import { argumentProblem, phaseArguments } from "./schemas.ts";

/** What a call of a phased tool comes to: a result, or a question that the client must put to a person first. */
export type PhaseCall = { readonly result: CallToolResult } | { readonly question: string };

/** Whether a tool is one of those for phased workflows. */
export function isPhaseTool(name: string): name is keyof typeof phaseArguments {
  return Object.hasOwn(phaseArguments, name);
}

/** Carries out a call of a phased tool. */
export async function callPhaseTool(
  engine: PhasedEngine,
  name: keyof typeof phaseArguments,
  given: unknown,
  connection: Connection,
  ask: Ask | undefined,
): Promise<PhaseCall> {
  switch (name) {
    case "start_workflow": {
      const parsed = phaseArguments.start_workflow.safeParse(given);
      if (!parsed.success) return invalid(argumentProblem(parsed.error));
      return answered(await engine.start(connection, defined(parsed.data)), startAnswer);
    }
    case "get_phase_content": {
      const parsed = phaseArguments.get_phase_content.safeParse(given);
      if (!parsed.success) return invalid(argumentProblem(parsed.error));
      return answered(await engine.read(connection, defined(parsed.data)), readAnswer);
    }
    case "complete_phase": {
      const parsed = phaseArguments.complete_phase.safeParse(given);
      if (!parsed.success) return invalid(argumentProblem(parsed.error));
      return answered(await engine.complete(connection, defined(parsed.data), ask), completeAnswer);
    }
    case "get_workflow_state": {
      const parsed = phaseArguments.get_workflow_state.safeParse(given);
      if (!parsed.success) return invalid(argumentProblem(parsed.error));
      return stateOf(engine, parsed.data.session_id, connection);
    }
  }
}

async function stateOf(engine: PhasedEngine, session: string | undefined, connection: Connection): Promise<PhaseCall> {
  if (session === undefined) return result(listAnswer(await engine.views(), engine.overheard()), false);
  const found = await engine.view(session);
  if (found !== null) return result(stateAnswer(found.view, found.warnings), false);
  // Why there is none to be seen is said with the refusal, as any other call about it would say it.
  return answered(await engine.read(connection, { session_id: session }), readAnswer);
}

function answered(reply: PhasedReply, render: (reply: PhasedReply) => PhaseAnswer): PhaseCall {
  return reply.question === undefined ? result(render(reply), isFault(reply)) : { question: reply.question };
}

function invalid(problem: string): PhaseCall {
  return result(
    {
      error: "invalid_input",
      message: `Not taken: ${problem.slice(0, 300)}.`,
      required_action: "Correct the arguments and call again; nothing has changed.",
      warnings: [],
    },
    true,
  );
}

function result(answer: PhaseAnswer, isError: boolean): PhaseCall {
  return {
    result: {
      content: [{ type: "text", text: phaseText(answer) }],
      structuredContent: answer,
      ...(isError ? { isError } : {}),
    },
  };
}
