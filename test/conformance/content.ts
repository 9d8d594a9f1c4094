import type { AudioContent, CallToolResult, ImageContent } from "@modelcontextprotocol/server";

/** A picture of one pixel. */
export const pixel: ImageContent = {
  type: "image",
  mimeType: "image/png",
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
};

/** A recording of no length. */
export const silence: AudioContent = {
  type: "audio",
  mimeType: "audio/wav",
  data: "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=",
};

/** A result of one text. */
export function text(said: string): CallToolResult {
  return { content: [{ type: "text", text: said }] };
}
