/** Wraps a response to call `done` once it is fully sent or abandoned; `stop` ends a stream before. */
export function whenSent(response: Response, done: () => void, stop?: AbortSignal): Response {
  const { body } = response;
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (body === null || !isStream) {
    done();
    return response;
  }
  const reader = body.getReader();
  let isDone = false;
  const end = (): void => {
    if (!isDone) done();
    isDone = true;
  };
  stop?.addEventListener("abort", () => void reader.cancel().catch(() => undefined), { once: true });
  const watched = new ReadableStream({
    async pull(controller) {
      try {
        const { done: isOver, value } = await reader.read();
        if (!isOver) return controller.enqueue(value);
        end();
        controller.close();
      } catch (fault) {
        end();
        controller.error(fault);
      }
    },
    cancel(reason) {
      end();
      return reader.cancel(reason);
    },
  });
  return new Response(watched, response);
}
