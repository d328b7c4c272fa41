/**
 * Memory for pages that are written and forgotten, used again page after page: making two megabytes anew for each costs
 * more than packing them. It is shared with the worker, so nothing is handed over or collected.
 */
export class LentMemory {
  readonly #free: SharedArrayBuffer[] = [];

  /** At least so many bytes, whatever is in them. */
  take(size: number): SharedArrayBuffer {
    const place = this.#free.findIndex((memory) => memory.byteLength >= size);
    const [found] = place < 0 ? [] : this.#free.splice(place, 1);
    // Somewhat more, for the next page.
    return found ?? new SharedArrayBuffer(Math.ceil(size * 1.2));
  }

  /** Takes back what nobody reads any more. */
  give(memory: SharedArrayBuffer): void {
    this.#free.push(memory);
    // Small ones after a larger page are not taken again.
    if (this.#free.length > keptMax) this.#free.shift();
  }
}

/** One that is written, one that waits, one that is filled. */
const keptMax = 3;
