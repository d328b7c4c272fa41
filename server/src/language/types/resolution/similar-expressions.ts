/**
 * Determines whether an expression may equal one in a list. PostgreSQL compares parsed trees, so equal expressions may
 * be written differently; only expressions that are certainly different are told apart.
 */
import { child, constantOf, isNode, list, strings, type Node } from '#server/language/tree/parse-tree.ts';
import type { Meant, Relation, Session } from '../typing.ts';

/** A hash of an expression's constants and resolved columns, in order. */
interface Content {
  readonly hash: number;
  /** The factor by which a preceding hash is multiplied. */
  readonly factor: number;
  /** Whether the expression contains a placeholder, which may equal any constant, or an unknown column. */
  readonly isOpen: boolean;
}

export class SimilarExpressions {
  readonly #session: Session;
  readonly #ids = new Map<Relation, number>();
  readonly #roots = new Map<string, Set<number | 'anything'>>();
  /** Cached, since the links of a long chain contain each other. */
  readonly #contents = new Map<Node, Content>();

  constructor(session: Session, expressions: readonly unknown[]) {
    this.#session = session;
    for (const entry of expressions) {
      const root = this.#rootOf(entry);
      const contents = this.#roots.get(root) ?? new Set();
      this.#roots.set(root, contents.add(this.#keyOf(entry)));
    }
  }

  mayHave(expression: Node): boolean {
    const contents = this.#roots.size === 0 ? undefined : this.#roots.get(this.#rootOf(expression));
    if (contents === undefined) return false;
    const key = this.#keyOf(expression);
    return key === 'anything' || contents.has('anything') || contents.has(key);
  }

  #keyOf(expression: unknown): number | 'anything' {
    const { hash, isOpen } = this.#contentOf(expression);
    return isOpen ? 'anything' : hash;
  }

  /** Returns the outermost node of an expression, ignoring casts: `FuncCall lower`. */
  #rootOf(expression: unknown): string {
    const [kind = '', body] = isNode(expression) ? (Object.entries(expression)[0] ?? []) : [];
    if (!isNode(body)) return kind;
    const cast = this.#castOf(kind, body);
    return cast === undefined
      ? `${kind} ${strings(body.funcname).at(-1) ?? strings(body.name).join('')}`
      : this.#rootOf(cast);
  }

  /** Returns the argument of a cast: `x::date` equals `date(x)`. */
  #castOf(kind: string, body: Node): unknown {
    if (kind === 'TypeCast') return body.arg;
    const [only, ...others] = kind === 'FuncCall' ? list(body.args) : [];
    const isType = this.#session.catalogue.type(strings(body.funcname).at(-1) ?? '') !== undefined;
    return only !== undefined && others.length === 0 && isType ? only : undefined;
  }

  #contentOf(value: unknown): Content {
    if (Array.isArray(value))
      return value.reduce<Content>((content, entry) => joined(content, this.#contentOf(entry)), nothing);
    if (!isNode(value)) return nothing;
    // Starts at the innermost link, since chains are too long for recursion.
    const links: Node[] = [];
    for (let at: unknown = value; isNode(at) && !this.#contents.has(at); at = child(at, 'A_Expr')?.lexpr)
      links.push(at);
    for (const link of links.toReversed()) this.#contents.set(link, this.#readContent(link));
    return this.#contents.get(value) ?? nothing;
  }

  #readContent(value: Node): Content {
    const column = child(value, 'ColumnRef');
    if (column !== undefined) {
      const meant = this.#session.meanings.get(column);
      return meant === undefined ? { ...part('?'), isOpen: true } : part(this.#columnKey(meant));
    }
    const constant = constantOf(value);
    if (constant !== undefined) {
      const content = part('value' in constant ? plain(constant.value) : '');
      return constant.kind === 'placeholder' ? { ...content, isOpen: true } : content;
    }
    let content = nothing;
    for (const key in value) {
      const inner = value[key];
      const isWord = typeof inner === 'string' && decisive.has(key);
      if (key !== 'typeName') content = joined(content, isWord ? part(inner) : this.#contentOf(inner));
    }
    return content;
  }

  /**
   * Uses the relation's name if there is one, since a join creates a new object for each side. A merged column may
   * equal either side's.
   */
  #columnKey({ level, relation, index }: Meant): string {
    const name = relation.columns?.[index]?.name;
    if (name !== undefined && (relation.name === undefined || relation.merged.has(name)))
      return `${level.depth} merged ${name}`;
    const id = this.#ids.get(relation) ?? this.#ids.size;
    this.#ids.set(relation, id);
    return `${level.depth} ${relation.name ?? `#${id}`} ${index}`;
  }
}

/** Fields whose word is part of the meaning, as in IS NULL and IS NOT NULL. */
const decisive = new Set(['nulltesttype', 'booltesttype', 'boolop']);

const nothing: Content = { hash: 0, factor: 1, isOpen: false };
const base = 0x01000193;

/** Combines hashes. Different sequences rarely get equal hashes; if they do, they count as equal. */
const joined = (left: Content, right: Content): Content => ({
  hash: (Math.imul(left.hash, right.factor) + right.hash) | 0,
  factor: Math.imul(left.factor, right.factor),
  isOpen: left.isOpen || right.isOpen,
});

function part(text: string): Content {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), base);
  return { hash: hash ^ (hash >>> 15), factor: base, isOpen: false };
}

/** '2026-1-1' and '2026-01-01' may be the same date, and 1 and '1' the same number. */
const plain = (constant: unknown): string =>
  String(constant)
    .toLowerCase()
    .replaceAll(/[^a-z1-9]/g, '');
