#!/usr/bin/env node
// A closed pipe (`waymark log | head`) is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

const [command, host, event] = process.argv.slice(2);
const isHook = command === "hook" && !process.argv.some((word) => word === "--help" || word === "-h");
if (isHook) {
  // Hosts start hooks at every turn: load only what they need, and never fail.
  process.on("uncaughtException", () => {
    process.stdout.write("{}\n", () => process.exit(0));
  });
  const { hook } = await import("./work/hook.ts");
  await hook(host ?? "", event ?? "");
} else {
  const [{ program }, { describeError: describeFault }] = await Promise.all([
    import("./program.ts"),
    import("./terminal/user-error.ts"),
  ]);
  try {
    await program.parseAsync();
  } catch (error) {
    process.stderr.write(`waymark: ${describeFault(error)}\n`);
    process.exitCode = 1;
  }
}
