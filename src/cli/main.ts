#!/usr/bin/env node
import { describeFault } from "./fault.ts";
import { program } from "./program.ts";

// A reader that has seen enough (`waymark log | head`) is no fault.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`waymark: ${describeFault(error)}\n`);
  process.exitCode = 1;
}
