/** Shrinks screenshots: reduces them to a palette of their 256 most frequent colors, with maximum zlib compression. */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
const coloursMax = 256;

/**
 * @param {Buffer} png as written by browsers: 8 bits per channel, RGB or opaque RGBA, not interlaced
 * @returns {Buffer} the same picture, in which rare colors become the nearest frequent color
 */
export function compressPng(png) {
  const { width, height, channels, lines } = decode(png);
  /** @type {Map<number, number>} */
  const counts = new Map();
  const colours = new Uint32Array(width * height);
  for (let pixel = 0; pixel < colours.length; pixel += 1) {
    const at = pixel * channels;
    const colour = ((lines[at] ?? 0) << 16) | ((lines[at + 1] ?? 0) << 8) | (lines[at + 2] ?? 0);
    colours[pixel] = colour;
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = [...counts]
    .sort((one, other) => other[1] - one[1])
    .slice(0, coloursMax)
    .map(([colour]) => colour);
  const places = new Map(palette.map((colour, place) => [colour, place]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let pixel = 0; pixel < colours.length; pixel += 1) {
    const colour = colours[pixel] ?? 0;
    let place = places.get(colour);
    if (place === undefined) {
      place = nearest(colour, palette);
      places.set(colour, place);
    }
    rows[Math.floor(pixel / width) * (width + 1) + 1 + (pixel % width)] = place;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8); // bit depth 8, palette
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap((colour) => channelsOf(colour)))),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** @param {number} colour @returns {[number, number, number]} */
const channelsOf = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];

/**
 * @param {number} colour
 * @param {readonly number[]} palette
 */
function nearest(colour, palette) {
  const [red, green, blue] = channelsOf(colour);
  let best = 0;
  let least = Infinity;
  for (const [place, one] of palette.entries()) {
    const [r, g, b] = channelsOf(one);
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
    if (distance < least) [best, least] = [place, distance];
  }
  return best;
}

/**
 * @param {string} type
 * @param {Buffer} data
 */
function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/**
 * @param {Buffer} png
 * @returns {{ width: number, height: number, channels: number, lines: Buffer }} the pixels, row by row
 */
function decode(png) {
  if (!png.subarray(0, 8).equals(signature)) throw new Error('not a PNG');
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const [depth, kind, , , interlaced] = png.subarray(24, 29);
  if (depth !== 8 || interlaced !== 0 || (kind !== 2 && kind !== 6)) {
    throw new Error('only RGB and RGBA with 8 bits, not interlaced');
  }
  const channels = kind === 2 ? 3 : 4;
  const parts = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return {
    width,
    height,
    channels,
    lines: unfilter(inflateSync(Buffer.concat(parts)), { width, height, channels }),
  };
}

/**
 * Undoes the filter of each row (PNG specification, section 9).
 * @param {Buffer} filtered
 * @param {{ width: number, height: number, channels: number }} size
 */
function unfilter(filtered, { width, height, channels }) {
  const length = width * channels;
  const lines = Buffer.alloc(length * height);
  for (let line = 0; line < height; line += 1) {
    const filter = filtered[line * (length + 1)];
    for (let index = 0; index < length; index += 1) {
      const at = line * length + index;
      const left = index < channels ? 0 : (lines[at - channels] ?? 0);
      const above = line === 0 ? 0 : (lines[at - length] ?? 0);
      const corner = line === 0 || index < channels ? 0 : (lines[at - length - channels] ?? 0);
      const guess = { 0: 0, 1: left, 2: above, 3: (left + above) >> 1, 4: paeth(left, above, corner) }[
        filter ?? 0
      ];
      lines[at] = (filtered[line * (length + 1) + 1 + index] ?? 0) + (guess ?? 0);
    }
  }
  return lines;
}

/**
 * @param {number} left
 * @param {number} above
 * @param {number} corner
 */
function paeth(left, above, corner) {
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [
    Math.abs(guess - left),
    Math.abs(guess - above),
    Math.abs(guess - corner),
  ];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}
