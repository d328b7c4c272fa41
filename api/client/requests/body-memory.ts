/** Memory for the bytes of answers, used again answer after answer: making it anew for each takes as long as filling it. */
export class BodyMemory {
  #free: Uint8Array<ArrayBuffer> | undefined;

  /** For one answer; another one that comes meanwhile gets other memory. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#free ?? new Uint8Array(1 << 16);
    this.#free = undefined;
    return taken;
  }

  /** Takes back what nobody reads any more. */
  give(bytes: Uint8Array<ArrayBuffer>): void {
    if (bytes.buffer.byteLength <= keptBytesMax) this.#free = new Uint8Array(bytes.buffer);
  }
}

/** A large answer must not keep its size for ever. */
const keptBytesMax = 1 << 24;
