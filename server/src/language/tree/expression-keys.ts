/** Which expressions mean the same. */

/** Fields that hold positions and do not affect the meaning. */
const positionKeys = new Set(['location', 'list_start', 'list_end', 'rexpr_list_start', 'rexpr_list_end']);

/**
 * Numbers expressions: those with the same number mean the same, apart from the qualifiers of their columns. Each node
 * is read once, so asking for the number of every node of a deep expression takes no longer than asking for one.
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

  /** Its members with their numbers. */
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
