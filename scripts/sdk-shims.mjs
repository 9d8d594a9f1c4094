/**
 * What the MCP SDK takes from its platform, without the schema validator that it would load by default: a seventh of
 * all that a server loads, and nothing of ours asks for it (`createServer` hands in what reads a person's form).
 */
export { default as process } from "node:process";

export class DefaultJsonSchemaValidator {
  constructor() {
    throw new Error("The schema validator of the SDK is not part of this build: hand in `jsonSchemaValidator`.");
  }
}
