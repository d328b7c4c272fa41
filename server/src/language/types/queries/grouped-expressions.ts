/**
 * Whether an expression may equal a grouped one. PostgreSQL compares parsed trees, so equal expressions can be
 * written differently: only certainly different ones are distinguished.
 */
import { child, constantOf, isNode, list, strings, type Node } from '../../tree/parse-tree.ts';
import type { Meant, Relation, Session } from '../typing.ts';

export class GroupedExpressions {
  readonly #session: Session;
  readonly #ids = new Map<Relation, number>();
  readonly #roots = new Map<string, Set<string>>();

  /** Grouped expressions other than plain columns. */
  constructor(session: Session, grouped: readonly unknown[]) {
    this.#session = session;
    for (const entry of grouped) {
      if (child(entry, 'ColumnRef') === undefined) {
        const root = this.#rootOf(entry);
        const contents = this.#roots.get(root) ?? new Set();
        this.#roots.set(root, contents.add(this.#contentOf(entry)));
      }
    }
  }

  mayHave(expression: Node): boolean {
    const contents = this.#roots.size === 0 ? undefined : this.#roots.get(this.#rootOf(expression));
    if (contents === undefined) return false;
    const content = this.#contentOf(expression);
    return content === anything || contents.has(anything) || contents.has(content);
  }

  /** Start of an expression without casts: `FuncCall lower`. */
  #rootOf(expression: unknown): string {
    const [kind = '', body] = isNode(expression) ? (Object.entries(expression)[0] ?? []) : [];
    if (!isNode(body)) return kind;
    const cast = this.#castOf(kind, body);
    return cast === undefined
      ? `${kind} ${strings(body.funcname).at(-1) ?? strings(body.name).join('')}`
      : this.#rootOf(cast);
  }

  /** The argument of a cast: `x::date` equals `date(x)`. */
  #castOf(kind: string, body: Node): unknown {
    if (kind === 'TypeCast') return body.arg;
    const [only, ...others] = kind === 'FuncCall' ? list(body.args) : [];
    const isType = this.#session.catalogue.type(strings(body.funcname).at(-1) ?? '') !== undefined;
    return only !== undefined && others.length === 0 && isType ? only : undefined;
  }

  /** Its columns, by their meaning, and its constants, in order. */
  #contentOf(expression: unknown): string {
    const parts: string[] = [];
    const found = { isOpen: false };
    const read = (value: unknown): void => {
      if (Array.isArray(value)) {
        value.forEach(read);
        return;
      }
      if (!isNode(value)) return;
      const column = child(value, 'ColumnRef');
      if (column !== undefined) {
        const meant = this.#session.meanings.get(column);
        parts.push(meant === undefined ? '?' : this.#keyOf(meant));
        return;
      }
      const constant = constantOf(value);
      if (constant !== undefined) {
        found.isOpen ||= constant.kind === 'placeholder';
        parts.push('value' in constant ? plain(constant.value) : '');
        return;
      }
      for (const key in value) if (key !== 'typeName') read(value[key]);
    };
    read(expression);
    return found.isOpen ? anything : parts.join(' ');
  }

  /** By name if possible, since a join makes its own object for each side. */
  #keyOf({ level, relation, index }: Meant): string {
    const id = this.#ids.get(relation) ?? this.#ids.size;
    this.#ids.set(relation, id);
    return `${level.depth} ${relation.name ?? `#${id}`} ${index}`;
  }
}

/** Stands for content with a placeholder, which may equal any constant. */
const anything = '*';

/** '2026-1-1' and '2026-01-01' may be the same date, 1 and '1' the same number. */
const plain = (constant: unknown): string =>
  String(constant)
    .toLowerCase()
    .replaceAll(/[^a-z1-9]/g, '');
