/** Determines which expressions are equivalent. */

/** Fields for positions, which do not affect the meaning. */
const positionKeys = new Set(['location', 'list_start', 'list_end', 'rexpr_list_start', 'rexpr_list_end']);

/**
 * Assigns numbers to expressions: equal numbers mean equivalent expressions, ignoring column qualifiers. Each node is
 * read only once, so numbering every node of a deep expression takes no longer than numbering the root.
 */
export class ExpressionKeys {
  readonly #numbers = new Map<string, number>();
  readonly #known = new WeakMap<object, number>();

  of(expression: unknown): number {
    if (typeof expression !== 'object' || expression === null)
      return this.#numberOf(typeof expression === 'string' ? JSON.stringify(expression) : String(expression));
    const known = this.#known.get(expression);
    if (known !== undefined) return known;
    const made = this.#numberOf(this.#shallow(expression));
    this.#known.set(expression, made);
    return made;
  }

  #numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  /** Returns a key that consists of the numbers of the node's members. */
  #shallow(expression: object): string {
    if (Array.isArray(expression)) return `[${expression.map((one) => this.of(one)).join(',')}]`;
    const members = Object.entries(expression)
      .filter(([name]) => !positionKeys.has(name))
      .map(([name, value]) => `${name}:${this.of(name === 'fields' ? unqualified(value) : value)}`);
    return `{${members.join(',')}}`;
  }
}

function unqualified(fields: unknown): unknown {
  return Array.isArray(fields) ? fields.slice(-1) : fields;
}
