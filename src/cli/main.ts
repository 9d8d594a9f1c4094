#!/usr/bin/env node
// A reader that has seen enough (`waymark log | head`) is no fault.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

const [command, host, event] = process.argv.slice(2);
const isHook = command === "hook" && !process.argv.some((word) => word === "--help" || word === "-h");
if (isHook) {
  // Hosts start it at every turn: it loads nothing that it does not need, and a hook that fails is none.
  process.on("uncaughtException", () => {
    process.stdout.write("{}\n", () => process.exit(0));
  });
  const { hook } = await import("./hook.ts");
  await hook(host ?? "", event ?? "");
} else {
  const [{ program }, { describeFault }] = await Promise.all([import("./program.ts"), import("./fault.ts")]);
  try {
    await program.parseAsync();
  } catch (error) {
    process.stderr.write(`waymark: ${describeFault(error)}\n`);
    process.exitCode = 1;
  }
}
