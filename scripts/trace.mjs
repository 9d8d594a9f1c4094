// Prints what one call passes: `npm run trace [-- --steps]`.
//
// Every function of src/ reports when it is entered, and the real server is driven over stdio on bench/trace-workload. A
// file is passed when one of its functions is entered between the arrival of the call and its answer. A room is the first
// folder under src/ (a file of src/ itself is a room of its own); the room changes when the function entered is in another
// room than the one entered before. `kit/` is not counted. test/pins/trace.test.ts holds the numbers to their ceilings.
import { count, roomOf, stretchesOf, traceAll } from "./trace-run.mjs";

const showsSteps = process.argv.includes("--steps");
for (const [tool, { warm, rested }] of Object.entries(await traceAll())) {
  console.log(tool);
  console.log(`  warm:                        ${inWords(count(warm))}`);
  console.log(`  after a pause:               ${inWords(count(rested))}`);
  console.log(`  warm, every room counted:    ${inWords(count(warm, []))}`);
  const times = new Map();
  for (const file of warm.entered) times.set(file, (times.get(file) ?? 0) + 1);
  const names = [...times.keys()].sort();
  for (const room of new Set(names.map(roomOf))) {
    const own = names.filter((name) => roomOf(name) === room);
    console.log(`  ${room} (${own.length})`);
    for (const name of own) console.log(`    ${name} ×${times.get(name)}`);
  }
  if (showsSteps) console.log(`  the way: ${stretchesOf(warm.entered).join(" → ")}`);
  console.log("");
}

function inWords({ files, changes, functions, definition_functions, definition_reads }) {
  return `${files} files, ${changes} changes of room, ${functions} functions (${definition_functions} of definitions), ${definition_reads} reads of definition files`;
}
