/** Draws rows again that changed while the editor was asking for them: it drops a change that comes before the answer. */

export interface AskedRowsDependencies<Row> {
  /** Draws the rows below these again; undefined stands for the root. */
  readonly draw: (rows: readonly (Row | undefined)[]) => void;
  /** Resolves once the editor has processed all that was sent to it before. */
  readonly whenTaken: () => Promise<void>;
}

interface Asked<Row> {
  readonly row: Row | undefined;
  hasChanged: boolean;
}

export class AskedRows<Row> {
  readonly #deps: AskedRowsDependencies<Row>;
  readonly #asked = new Set<Asked<Row>>();
  #answered: Asked<Row>[] = [];
  #isTaking = false;

  constructor(deps: AskedRowsDependencies<Row>) {
    this.#deps = deps;
  }

  /** Answers the editor, which asks for the rows below this one. */
  async answer<Answer>(row: Row | undefined, rows: () => Answer): Promise<Awaited<Answer>> {
    const asked = { row, hasChanged: false };
    this.#asked.add(asked);
    try {
      return await rows();
    } finally {
      this.#answered.push(asked);
      void this.#taking();
    }
  }

  /** To be called with each change. It may be of a row above one that is asked for, so it counts for all of them. */
  change(): void {
    for (const asked of this.#asked) asked.hasChanged = true;
  }

  /** One round for all answers of a moment. */
  async #taking(): Promise<void> {
    if (this.#isTaking) return;
    this.#isTaking = true;
    while (this.#answered.length > 0) {
      await new Promise(setImmediate); // until the answers are sent
      // The editor asks for several rows at once and gets one answer after the last of them, which begins a round.
      if (this.#asked.size > this.#answered.length) break;
      const answered = this.#answered;
      this.#answered = [];
      await this.#deps.whenTaken().catch(() => undefined); // the window is closing
      for (const asked of answered) this.#asked.delete(asked);
      const changed = new Set(answered.filter(({ hasChanged }) => hasChanged).map(({ row }) => row));
      if (changed.size > 0) this.#deps.draw([...changed]);
    }
    this.#isTaking = false;
  }
}
