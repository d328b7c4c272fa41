/**
 * Reused memory for pages that are written and forgotten: allocating two megabytes per page costs more than packing.
 * Shared with the worker, so nothing is transferred or collected.
 */
export class LentMemory {
  readonly #free: SharedArrayBuffer[] = [];

  /** At least this many bytes, with arbitrary content. */
  take(size: number): SharedArrayBuffer {
    const place = this.#free.findIndex((memory) => memory.byteLength >= size);
    const [found] = place < 0 ? [] : this.#free.splice(place, 1);
    // Slightly more, for the next page.
    return found ?? new SharedArrayBuffer(Math.ceil(size * 1.2));
  }

  /** Takes back memory that nothing reads. */
  give(memory: SharedArrayBuffer): void {
    this.#free.push(memory);
    // Small blocks are not reused after a larger page.
    if (this.#free.length > keptMax) this.#free.shift();
  }
}

/** One being written, one waiting, one being filled. */
const keptMax = 3;
