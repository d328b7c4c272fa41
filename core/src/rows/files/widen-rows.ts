/**
 * Rewrites a CSV or tab-separated file whose columns arrived over time: writes the full header and fills earlier rows
 * with NULL. Needs disk space for a second copy; memory use is bounded.
 */
import { createReadStream } from 'node:fs';
import { rewriteFile } from '#base/files/private-file.ts';
import { createTextWriter } from './serialize.ts';
import type { TextOptions } from './text-writer.ts';

export type SeparatedFormat = 'csv' | 'tsv';

export interface Widening {
  readonly format: SeparatedFormat;
  readonly text: Omit<TextOptions, 'format' | 'withHeaders'>;
  /** All column names, including those that arrived late. */
  readonly names: readonly string[];
  /** The byte order mark before the header, or an empty string. */
  readonly mark: string;
  /** Offset of the first row in the file, in bytes. */
  readonly headBytes: number;
  /** Offsets at which rows with more columns start, in bytes, and the number of columns before each. */
  readonly steps: readonly { readonly at: number; readonly columns: number }[];
}

/** @returns the size of the file in bytes. */
export async function widenRows(path: string, widening: Widening): Promise<number> {
  const { format, text, names, mark, headBytes, steps } = widening;
  const writer = createTextWriter(names, { ...text, format, withHeaders: true, keepsNull: true });
  const separator = format === 'csv' ? ',' : '\t';
  const [lineEnd] = /\r?\n$/.exec(writer.start()) ?? [''];
  const oneNull = writer.rows([[{ text: null, isBare: false }]]).slice(0, -lineEnd.length);
  const fillers = steps.map(({ at, columns }) => ({
    at: at - headBytes,
    bytes: Buffer.from((separator + oneNull).repeat(names.length - columns)),
  }));
  const scanner = new RowEnds(separator, lineEnd.charCodeAt(0));
  return await rewriteFile(path, 'wide', async (handle) => {
    await handle.appendFile(mark + writer.start());
    let done = 0;
    let step = 0;
    for await (const piece of createReadStream(path, { start: headBytes, highWaterMark: 1 << 18 })) {
      const bytes = piece as Buffer; // no encoding is set, so the stream yields buffers
      const parts: Buffer[] = [];
      let from = 0;
      const last = fillers.at(-1)?.at ?? 0;
      if (done < last)
        for (const end of scanner.ends(bytes)) {
          while ((fillers[step]?.at ?? Infinity) <= done + end) step += 1;
          const filler = fillers[step];
          if (filler === undefined) break;
          parts.push(bytes.subarray(from, end), filler.bytes);
          from = end;
        }
      parts.push(bytes.subarray(from));
      done += bytes.length;
      await handle.appendFile(Buffer.concat(parts));
    }
  });
}

const quote = 0x22;

/** Finds the ends of rows in streamed bytes, ignoring line endings inside quotes. */
class RowEnds {
  readonly #separator: number;
  /** The first byte of a line ending. */
  readonly #lineEnd: number;
  #state: 'start' | 'plain' | 'quoted' | 'closing' = 'start';

  constructor(separator: string, lineEnd: number) {
    this.#separator = separator.charCodeAt(0);
    this.#lineEnd = lineEnd;
  }

  *ends(bytes: Buffer): Generator<number, void, void> {
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (this.#state === 'quoted') {
        const next = bytes.indexOf(quote, at);
        if (next === -1) return;
        at = next;
        this.#state = 'closing';
      } else if (byte === quote && this.#state !== 'plain') {
        // This quote opens a field, or is the second of a pair.
        this.#state = 'quoted';
      } else if (byte === this.#lineEnd) {
        this.#state = 'start';
        yield at;
      } else if (byte !== lineFeed) this.#state = byte === this.#separator ? 'start' : 'plain';
    }
  }
}

/** Second byte of a CSV line ending, after which the next row starts. */
const lineFeed = 0x0a;
