// Draws the rooms of src/ and their imports into docs/pictures/rooms.svg: `npm run rooms`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { importsOf as allowedOf, rooms } from "./rooms.mjs";

const [boxWidth, boxHeight, gap, rise] = [156, 48, 14, 44];

/** Rooms that reach across the whole picture: bars without arrows. */
const [above, below] = [["cli", "app"], ["kit"]];

/** The picture as SVG: a row for each level, and an arrow for each import that no other implies. */
export function drawRooms() {
  const names = Object.keys(rooms).filter((name) => ![...above, ...below].includes(name));
  const targets = new Map(names.map((name) => [name, importsOf(name).filter((target) => names.includes(target))]));
  const level = new Map();
  for (const name of names) levelOf(name, targets, level);
  const top = Math.max(...level.values());
  const rows = Array.from({ length: top + 1 }, (_, index) => names.filter((name) => level.get(name) === top - index));
  const width = Math.max(...rows.map((row) => row.length)) * (boxWidth + gap) + gap;
  const bars = above.length * (boxHeight + gap);
  const spot = new Map();
  // From the core outwards, each row in the order of what it imports, so that few arrows cross.
  for (const [index, row] of [...rows.entries()].reverse()) {
    const middle = (name) => {
      const below = reduced(name, targets).map((target) => spot.get(target).x);
      return below.length === 0 ? width / 2 : below.reduce((sum, x) => sum + x, 0) / below.length;
    };
    const left = (width - row.length * (boxWidth + gap) + gap) / 2;
    const ordered = row.map((name) => ({ name, at: middle(name) })).sort((one, other) => one.at - other.at);
    for (const [column, { name }] of ordered.entries())
      spot.set(name, { x: left + column * (boxWidth + gap), y: gap + bars + rise / 2 + index * (boxHeight + rise) });
  }
  const height = bars + rows.length * (boxHeight + rise) + boxHeight + 2 * gap;
  const arrows = names.flatMap((name) =>
    reduced(name, targets).map((target) => arrow(spot.get(name), spot.get(target))),
  );
  const bar = (name, y) => box(name, { x: gap, y }, width - 2 * gap);
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    "<title>The rooms of src/. An arrow is an import that is allowed; cli and app may import what is below them, and all may import kit.</title>",
    "<style>text{font:12px system-ui,sans-serif;text-anchor:middle}.name{font-weight:600;fill:#1b2a41}.job{font-size:9.5px;fill:#4a5a70}rect{fill:#f3f6fa;stroke:#8aa0b8}path{fill:none;stroke:#8aa0b8}.tip{fill:#8aa0b8;stroke:none}</style>",
    `<rect x="0" y="0" width="${width}" height="${height}" style="fill:#fff;stroke:none"/>`,
    ...arrows,
    ...[...spot].map(([name, at]) => box(name, at, boxWidth)),
    ...above.map((name, index) => bar(name, gap + index * (boxHeight + gap))),
    ...below.map((name) => bar(name, height - boxHeight - gap)),
    "</svg>",
  ].join("\n")}\n`;
}

/** The rooms that a room may import whole. */
function importsOf(name) {
  return allowedOf(name).filter((target) => target in rooms);
}

function levelOf(name, targets, level) {
  if (!level.has(name)) {
    level.set(name, 0);
    level.set(name, Math.max(-1, ...targets.get(name).map((target) => levelOf(target, targets, level))) + 1);
  }
  return level.get(name);
}

/** The imports of a room that it does not also reach through another. */
function reduced(name, targets) {
  const reach = (from) => new Set(targets.get(from).flatMap((target) => [target, ...reach(target)]));
  const direct = targets.get(name);
  return direct.filter((target) => !direct.some((other) => other !== target && reach(other).has(target)));
}

function arrow(from, to) {
  const [x1, y1, x2, y2] = [from.x + boxWidth / 2, from.y + boxHeight, to.x + boxWidth / 2, to.y - 5];
  const bend = (y2 - y1) / 2;
  return `<path d="M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}"/><path class="tip" d="M${x2 - 4} ${y2}h8l-4 5z"/>`;
}

function box(name, { x, y }, width) {
  const [first, second] = lines(rooms[name].job, width / 5.1);
  const middle = x + width / 2;
  const jobs = [first, second]
    .filter(Boolean)
    .map((text, row) => `<text class="job" x="${middle}" y="${y + 29 + row * 11}">${text}</text>`);
  return `<rect x="${x}" y="${y}" width="${width}" height="${boxHeight}" rx="5"/><text class="name" x="${middle}" y="${y + 16}">${name}/</text>${jobs.join("")}`;
}

function lines(text, most) {
  const out = [""];
  for (const word of text.split(" ")) {
    if (`${out.at(-1)} ${word}`.length > most) out.push(word);
    else out.push(`${out.pop()} ${word}`.trim());
  }
  return out.slice(0, 2);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(join(import.meta.dirname, "../docs/pictures/rooms.svg"), drawRooms());
