import type { AuditedLog } from "../engine/ports/event-log.ts";
import type { ProjectIdentity } from "../engine/ports/project-identity.ts";
import { sha256 } from "../kit/sha256.ts";

/** The findings about the project that a history names. */
type AuditedOrigin = {
  readonly doubts: readonly string[];
  readonly disputes: readonly { readonly text: string; readonly hash: string }[];
  readonly notes: readonly string[];
};

/** Compares the project that a history names with the one it is in. */
export function auditOrigin(
  { stream, first, records, accepted }: AuditedLog,
  identity: ProjectIdentity,
): AuditedOrigin {
  const { project } = stream;
  const none: AuditedOrigin = { doubts: [], disputes: [], notes: [] };
  if (records === 0) return none;
  if (identity === undefined) {
    const gone = "it names a project, but the definitions have no identity.json: restore it";
    return project === undefined ? none : { ...none, doubts: [gone] };
  }
  if ("problem" in identity) return { ...none, doubts: [identity.problem] };
  if (project === undefined) return { ...none, notes: ["It began before this project had an identity."] };
  if (project.id === identity.project && project.from === undefined) return none;
  const hash = sha256(`${first} in ${identity.project}`);
  const text = "its history belongs to another project and was copied here";
  return accepted?.has(hash) === true ? none : { ...none, disputes: [{ text, hash }] };
}
