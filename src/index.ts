export { type OpenedWorkplace, openWorkplace, type Places } from "./compose.ts";
export type { CompleteRequest, Engine } from "./engine/engine.ts";
export type { Answer, Ask, Reply } from "./engine/reply.ts";
export { newSession, type Session } from "./engine/session.ts";
export type { Standing } from "./engine/standing.ts";
export { type StdioOptions, serveOverStdio } from "./mcp/serve-stdio.ts";
export type { Event } from "./workflow/events.ts";
export type { Outcome } from "./workflow/outcome.ts";
export { type Refusal, type RefusalCode, refusalCodes } from "./workflow/refusal.ts";
