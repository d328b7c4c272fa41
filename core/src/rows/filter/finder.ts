/** Searches all cells for a string. Matches are stored as one bit per cell, so finding the next match is cheap. */
import type { RowSource } from '../compare/row-source.ts';
import type { FindAnswer, FindRequest } from '../rows.ts';
import { eachMatch } from './match-text.ts';

export interface FindSource extends RowSource {
  /** Visible rows in order; undefined if all rows are visible in arrival order. */
  readonly order: Uint32Array | undefined;
}

interface Found {
  readonly stamp: string;
  /** One bit per cell, at index `storeRow * columnCount + columnIndex`. */
  readonly bits: Uint32Array;
  readonly columnCount: number;
  /** Number of matches before each visible row; one more entry than rows. */
  readonly before: Uint32Array;
  readonly order: Uint32Array | undefined;
}

export class Finder {
  #found: Found | undefined;
  #generation = 0;

  /** Discards matches after the rows or their order changed. */
  reset(): void {
    this.#found = undefined;
    this.#generation += 1;
  }

  async find(source: FindSource, request: FindRequest, pause: () => Promise<void>): Promise<FindAnswer> {
    if (request.text === '') return { at: undefined, matches: 0, ordinal: 0 };
    const stamp = JSON.stringify([request.text, request.matchCase, request.columns]);
    if (this.#found?.stamp === stamp) return nextOf(this.#found, request);
    const generation = this.#generation;
    const found = await search(source, { ...request, stamp }, pause);
    if (generation === this.#generation) this.#found = found;
    return nextOf(found, request);
  }
}

async function search(
  { chunks, starts, rowCount, order }: FindSource,
  request: FindRequest & { readonly stamp: string },
  pause: () => Promise<void>,
): Promise<Found> {
  const columnCount = request.columns.length;
  const bits = new Uint32Array(Math.ceil((rowCount * columnCount) / 32));
  const counts = new Uint16Array(rowCount);
  for (const [index, chunk] of chunks.entries()) {
    const start = starts[index] ?? 0;
    request.columns.forEach((column, place) => {
      const packed = chunk.columns[column];
      if (packed === undefined) return;
      eachMatch(packed, chunk.rowCount, request, (row) => {
        const bit = (start + row) * columnCount + place;
        bits[bit >>> 5] = (bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
        counts[start + row] = (counts[start + row] ?? 0) + 1;
      });
    });
    await pause();
  }
  const viewCount = order?.length ?? rowCount;
  const before = new Uint32Array(viewCount + 1);
  for (let row = 0; row < viewCount; row += 1)
    before[row + 1] = (before[row] ?? 0) + (counts[order === undefined ? row : (order[row] ?? 0)] ?? 0);
  return { stamp: request.stamp, bits, columnCount, before, order };
}

function nextOf(found: Found, { from, backwards }: FindRequest): FindAnswer {
  const viewCount = found.before.length - 1;
  const matches = found.before[viewCount] ?? 0;
  if (matches === 0) return { at: undefined, matches, ordinal: 0 };
  const within = placesOf(found, from.row);
  const place = backwards
    ? within.findLast((one) => one < from.place)
    : within.find((one) => one > from.place);
  if (place !== undefined) return answer(found, from.row, place);
  // Continue from the next row in the search direction, and wrap around.
  const step = backwards ? -1 : 1;
  for (let turn = 1; turn <= viewCount; turn += 1) {
    const row = (((from.row + step * turn) % viewCount) + viewCount) % viewCount;
    if (found.before[row] === found.before[row + 1]) continue;
    const places = placesOf(found, row);
    return answer(found, row, (backwards ? places.at(-1) : places[0]) ?? 0);
  }
  return { at: undefined, matches, ordinal: 0 };
}

function answer(found: Found, row: number, place: number): FindAnswer {
  const earlier = placesOf(found, row).indexOf(place);
  return {
    at: { row, place },
    matches: found.before.at(-1) ?? 0,
    ordinal: (found.before[row] ?? 0) + earlier + 1,
  };
}

function placesOf({ bits, columnCount, order, before }: Found, viewRow: number): number[] {
  if (viewRow < 0 || viewRow >= before.length - 1) return [];
  const storeRow = order === undefined ? viewRow : (order[viewRow] ?? 0);
  const places: number[] = [];
  for (let place = 0; place < columnCount; place += 1) {
    const bit = storeRow * columnCount + place;
    if (((bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0) places.push(place);
  }
  return places;
}
