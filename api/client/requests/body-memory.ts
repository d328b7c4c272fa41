/** Reuses response buffers: allocating one takes as long as filling it. */
export class BodyMemory {
  #free: Uint8Array<ArrayBuffer> | undefined;

  /** A buffer for one response; a concurrent response gets another. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#free ?? new Uint8Array(1 << 16);
    this.#free = undefined;
    return taken;
  }

  /** Returns a buffer that is no longer read. */
  give(bytes: Uint8Array<ArrayBuffer>): void {
    if (bytes.buffer.byteLength <= keptBytesMax) this.#free = new Uint8Array(bytes.buffer);
  }
}

/** A larger buffer is released, so one large response does not hold its memory forever. */
const keptBytesMax = 1 << 24;
