/**
 * Replaces the MCP SDK's platform shims, without the schema validator that it would load by default: a seventh of
 * all that a server loads, and we do not use it (`createServer` passes its own validator for forms).
 */
export { default as process } from "node:process";

export class DefaultJsonSchemaValidator {
  constructor() {
    throw new Error("The schema validator of the SDK is not part of this build: pass `jsonSchemaValidator`.");
  }
}
