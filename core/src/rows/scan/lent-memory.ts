/**
 * Reuses memory for pages that are written but not kept: allocating two megabytes per page costs more than packing. The
 * memory is shared with the worker, so nothing is transferred or garbage-collected.
 */
export class LentMemory {
  readonly #free: SharedArrayBuffer[] = [];

  /** Returns a block of at least `size` bytes with arbitrary content. */
  take(size: number): SharedArrayBuffer {
    const place = this.#free.findIndex((memory) => memory.byteLength >= size);
    const [found] = place < 0 ? [] : this.#free.splice(place, 1);
    // Leave some spare room for a larger next page.
    return found ?? new SharedArrayBuffer(Math.ceil(size * 1.2));
  }

  /** Takes back memory that is no longer in use. */
  give(memory: SharedArrayBuffer): void {
    this.#free.push(memory);
    // Drop the oldest block, which may be too small for later pages.
    if (this.#free.length > keptMax) this.#free.shift();
  }
}

/** Enough for one page being written, one waiting, and one being filled. */
const keptMax = 3;
