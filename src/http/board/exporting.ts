import { auditOne, eventsOf } from "../../audit/audit.ts";
import { exportedDesk } from "../../audit/exported.ts";
import { jsonHeaders } from "../headers.ts";
import type { BoardDesk } from "./desks.ts";

/** What `waymark export --json` prints, as a file to keep: a history at a time, so that all of them need not fit into memory. */
export function exported(
  desks: readonly BoardDesk[],
  about: { readonly at: Date; readonly version: string },
): Response {
  const encoder = new TextEncoder();
  const at = about.at.toISOString();
  const left = [...desks];
  let isFirst = true;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const head = JSON.stringify({ exported_at: at, waymark: about.version }).slice(0, -1);
      controller.enqueue(encoder.encode(`${head},"desks":[`));
    },
    async pull(controller) {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const audited = await auditOne(next.area, next.id, []);
        if ("problem" in audited) continue;
        const text = JSON.stringify(exportedDesk(audited, await eventsOf(audited)));
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
