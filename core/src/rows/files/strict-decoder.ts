/** Decodes text piece by piece, and says where bytes are no text of the encoding. */
import { t } from '#base/texts.ts';
import { RowsFileError } from './rows-file-error.ts';

export class StrictDecoder {
  readonly #encoding: string;
  readonly #decoder: InstanceType<typeof TextDecoder>;
  #bytes = 0;
  #lines = 1;
  /** The beginning of a character that goes on in the next piece. */
  #begun: Uint8Array = new Uint8Array();

  /** @throws RowsFileError if there is no such encoding. */
  constructor(encoding: string) {
    this.#encoding = encoding;
    try {
      this.#decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
    } catch (error) {
      throw new RowsFileError(t('There is no encoding "{0}".', encoding), { cause: error });
    }
  }

  /** @throws RowsFileError for bytes that are no text. */
  decode(piece: Uint8Array): string {
    try {
      const text = this.#decoder.decode(piece, { stream: true });
      this.#bytes += piece.length;
      this.#begun = this.#begunIn(joined(this.#begun, piece.subarray(-characterBytesMax)));
      for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, at + 1)) this.#lines += 1;
      return text;
    } catch (error) {
      throw this.#wrong(piece, error);
    }
  }

  /** @throws RowsFileError if the last character is incomplete. */
  end(): void {
    try {
      this.#decoder.decode();
    } catch (error) {
      throw this.#wrong(new Uint8Array(), error);
    }
  }

  /** Returns how many bytes precede the first wrong character. */
  #validBytes(bytes: Uint8Array): number {
    let from = 0;
    let to = bytes.length;
    while (from < to) {
      const middle = (from + to + 1) >> 1;
      if (this.#isText(bytes.subarray(0, middle))) from = middle;
      else to = middle - 1;
    }
    return from - this.#begunIn(bytes.subarray(0, from)).length;
  }

  #begunIn(bytes: Uint8Array): Uint8Array {
    for (let count = Math.min(characterBytesMax, bytes.length); count > 0; count -= 1) {
      const last = bytes.slice(-count);
      if (this.#textOf(last) === '') return last;
    }
    return new Uint8Array();
  }

  #isText(bytes: Uint8Array): boolean {
    return this.#textOf(bytes) !== undefined;
  }

  #textOf(bytes: Uint8Array): string | undefined {
    try {
      return new TextDecoder(this.#encoding, { fatal: true, ignoreBOM: true }).decode(bytes, {
        stream: true,
      });
    } catch {
      return undefined; // no text
    }
  }

  #wrong(piece: Uint8Array, cause: unknown): RowsFileError {
    const bytes = joined(this.#begun, piece);
    const valid = this.#validBytes(bytes);
    const lines = bytes.subarray(0, valid).filter((byte) => byte === lineFeed).length;
    return new RowsFileError(
      t(
        'The file is not {0} text: line {1}, byte {2}. Save it as UTF-8, or name its encoding.',
        this.#encoding.toUpperCase(),
        this.#lines + lines,
        this.#bytes - this.#begun.length + valid + 1,
      ),
      { cause },
    );
  }
}

function joined(begun: Uint8Array, piece: Uint8Array): Uint8Array {
  return begun.length === 0 ? piece : new Uint8Array([...begun, ...piece]);
}

/** In any encoding. */
const characterBytesMax = 4;
const lineFeed = 0x0a;
