/** Reuses response buffers: allocating one takes as long as filling it. */
export class BodyMemory {
  #free: Uint8Array<ArrayBuffer> | undefined;

  /** Returns a buffer for one response; a concurrent response gets another. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#free ?? new Uint8Array(1 << 16);
    this.#free = undefined;
    return taken;
  }

  /** Takes back a buffer that is no longer in use. */
  give(bytes: Uint8Array<ArrayBuffer>): void {
    if (bytes.buffer.byteLength <= keptBytesMax) this.#free = new Uint8Array(bytes.buffer);
  }
}

/** Larger buffers are released, so that one large response does not hold its memory forever. */
const keptBytesMax = 1 << 24;
