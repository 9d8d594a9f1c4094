import { auditStreamById, countedEvents } from "../../audit/audit-streams.ts";
import { exportStream } from "../../audit/export-stream.ts";
import { jsonHeaders } from "../../http/headers.ts";
import type { BoardRun } from "./board-runs.ts";

/** Streams the output of `waymark export --json` as a file, one history at a time to limit memory. */
export function exportResponse(
  streams: readonly BoardRun[],
  about: { readonly at: Date; readonly version: string },
): Response {
  const encoder = new TextEncoder();
  const at = about.at.toISOString();
  const left = [...streams];
  let isFirst = true;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const head = JSON.stringify({ exported_at: at, waymark: about.version }).slice(0, -1);
      controller.enqueue(encoder.encode(`${head},"desks":[`));
    },
    async pull(controller) {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const audited = await auditStreamById(next.area, next.id, []);
        if ("problem" in audited) continue;
        const text = JSON.stringify(exportStream(audited, await countedEvents(audited)));
        controller.enqueue(encoder.encode(isFirst ? text : `,${text}`));
        isFirst = false;
        return;
      }
      controller.enqueue(encoder.encode("]}\n"));
      controller.close();
    },
  });
  const name = `waymark-audit-${at.slice(0, 10)}.json`;
  return new Response(body, {
    headers: { ...jsonHeaders, "content-disposition": `attachment; filename="${name}"` },
  });
}
