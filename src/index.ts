export { type OpenedWorkplace, openWorkplace, type WorkplaceOptions } from "./app/open-workplace.ts";
export type { AskPerson, CallerContext, PersonAnswer } from "./engine/caller.ts";
export type { Engine } from "./engine/engine.ts";
export type { Content, ContentFile, ContentItem, HeldContent } from "./engine/ports/content.ts";
export type {
  AppendOptions,
  AppendResult,
  AuditedLine,
  AuditedLog,
  ContentToSave,
  EventLog,
  LoadedStream,
  OnWriteFailure,
  StoredRecord,
} from "./engine/ports/event-log.ts";
export type { PinStore } from "./engine/ports/pins.ts";
export type { SignedHead, SignedHeads } from "./engine/ports/signed-heads.ts";
export type { FoundView, Views } from "./engine/ports/views.ts";
export type { ApprovalQuestion, Reply } from "./engine/reply.ts";
export type { CompleteRequest, OpenRequest, StartRequest } from "./engine/request.ts";
export type { RunStatus } from "./engine/run-status.ts";
export type { Sessions } from "./engine/sessions.ts";
export { Unavailable } from "./kit/unavailable.ts";
export { type StdioOptions, serveOverStdio } from "./mcp/serve-stdio.ts";
export { type RefusalCode, refusalCodes } from "./messages/refusal-codes.ts";
export { type Chain, emptyChain, extend, type Link } from "./stores/chain/journal-chain.ts";
export { type JournalLine, type JournalRecord, toLine } from "./stores/chain/journal-record.ts";
export type { LineSource } from "./stores/chain/line-source.ts";
export { type VerifiedLines, verifyLines } from "./stores/chain/verify-lines.ts";
export { fileStore } from "./stores/file/file-store.ts";
export { memoryStore } from "./stores/memory/memory-store.ts";
export { viewsOnRequest } from "./stores/projections/views-on-request.ts";
export type { Store } from "./stores/store.ts";
export type { Event } from "./workflow/events.ts";
export type { Outcome } from "./workflow/outcome.ts";
export type { Refusal } from "./workflow/refusal.ts";
export { replay } from "./workflow/replay.ts";
export type { StreamId } from "./workflow/stream-id.ts";
export type { StreamSnapshot } from "./workflow/stream-snapshot.ts";
