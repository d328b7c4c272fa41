/** Decodes text piece by piece, and says where bytes are no text of the encoding. */
import { t } from '#base/texts.ts';
import { RowsFileError } from './rows-file-error.ts';

export class StrictDecoder {
  readonly #encoding: string;
  readonly #decoder: InstanceType<typeof TextDecoder>;
  #bytes = 0;
  #lines = 1;

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
      for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, at + 1)) this.#lines += 1;
      return text;
    } catch (error) {
      throw this.#wrong(this.#validBytes(piece), piece, error);
    }
  }

  /** @throws RowsFileError if the last character is incomplete. */
  end(): void {
    try {
      this.#decoder.decode();
    } catch (error) {
      throw this.#wrong(0, new Uint8Array(), error);
    }
  }

  /** Returns how many bytes precede the first wrong one. A character that began in the piece before may be wrong. */
  #validBytes(piece: Uint8Array): number {
    let from = 0;
    let to = piece.length;
    while (from < to) {
      const middle = (from + to + 1) >> 1;
      if (this.#isText(piece.subarray(0, middle))) from = middle;
      else to = middle - 1;
    }
    return from;
  }

  #isText(bytes: Uint8Array): boolean {
    try {
      new TextDecoder(this.#encoding, { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
      return true;
    } catch {
      return false;
    }
  }

  #wrong(valid: number, piece: Uint8Array, cause: unknown): RowsFileError {
    const lines = piece.subarray(0, valid).filter((byte) => byte === lineFeed).length;
    return new RowsFileError(
      t(
        'The file is not {0} text: line {1}, byte {2}. Save it as UTF-8, or name its encoding.',
        this.#encoding.toUpperCase(),
        this.#lines + lines,
        this.#bytes + valid + 1,
      ),
      { cause },
    );
  }
}

const lineFeed = 0x0a;
