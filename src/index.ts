export type { Heads, SignedHead } from "./audit/ports.ts";
export { type OpenedWorkplace, openWorkplace, type Places } from "./compose.ts";
export type { Answer, Ask, Asked, Calling } from "./engine/caller.ts";
export type { Engine } from "./engine/engine.ts";
export type {
  Appended,
  Appending,
  AuditedLine,
  AuditedLog,
  Content,
  ContentFile,
  ContentItem,
  DeskId,
  EventLog,
  Held,
  OnFault,
  Pins,
  Saving,
  Snapshot,
  StoredRecord,
  Viewed,
  Views,
} from "./engine/ports.ts";
export type { Reply } from "./engine/reply.ts";
export type { CompleteRequest, OpenRequest, StartRequest } from "./engine/request.ts";
export type { Sessions } from "./engine/sessions.ts";
export type { Standing } from "./engine/standing.ts";
export { Unavailable } from "./evidence/unavailable.ts";
export { type StdioOptions, serveOverStdio } from "./mcp/serve-stdio.ts";
export { type Chain, emptyChain, extend, type Link } from "./stores/chain/chain.ts";
export { type JournalRecord, type Line, toLine } from "./stores/chain/record.ts";
export { type LineSource, type VerifiedLines, verifyLines } from "./stores/chain/verify-lines.ts";
export { fileStore } from "./stores/file/file-store.ts";
export { memoryStore } from "./stores/memory/memory-store.ts";
export { viewsOnRequest } from "./stores/projections/views-on-request.ts";
export type { Store } from "./stores/store.ts";
export { type RefusalCode, refusalCodes } from "./words/codes.ts";
export type { Desk } from "./workflow/desk.ts";
export type { Event } from "./workflow/events.ts";
export type { Outcome } from "./workflow/outcome.ts";
export type { Refusal } from "./workflow/refusal.ts";
export { replay } from "./workflow/replay.ts";
