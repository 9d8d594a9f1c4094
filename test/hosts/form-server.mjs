import { createInterface } from "node:readline";

// A server with one tool, `ask_person`: it puts the form of a person's word to the client, and answers with what came back.
const requestedSchema = {
  type: "object",
  properties: {
    answer: { type: "string", title: "Done?", enum: ["no", "yes"] },
    comment: { type: "string", title: "Comment", description: "Your own words (optional)" },
  },
  required: ["answer"],
};
const tool = { name: "ask_person", description: "Asks the person.", inputSchema: { type: "object", properties: {} } };

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const callers = new Map();

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === "initialize") {
    const { protocolVersion } = params;
    send({
      id,
      result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "form", version: "1.0.0" } },
    });
  } else if (method === "tools/list") send({ id, result: { tools: [tool] } });
  else if (method === "tools/call") {
    const question = `question-${id}`;
    callers.set(question, id);
    const form = { mode: "form", message: "Is the work of gather_context done?", requestedSchema };
    send({ id: question, method: "elicitation/create", params: form });
  } else if (method !== undefined && id !== undefined) send({ id, error: { code: -32601, message: `no ${method}` } });
  else if (callers.has(id))
    send({ id: callers.get(id), result: { content: [{ type: "text", text: JSON.stringify(result ?? error) }] } });
});
