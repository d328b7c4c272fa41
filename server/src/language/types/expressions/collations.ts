/** Finds values of two explicit collations that meet in one operation (parse_collate.c). */
import { t } from '#base/texts.ts';
import { child, isNode, list, named, number, strings, type Node } from '#server/language/tree/parse-tree.ts';
import { isPolymorphic } from '../resolution/coercion.ts';
import type { Session } from '../typing.ts';

/** The explicit collation of a value, and its clause. */
interface Explicit {
  readonly name: string;
  readonly clause: Node;
}

/** Deeper expressions are not checked. */
const depthMax = 400;

export function checkCollations(session: Session, statement: Node): void {
  new Collations(session).look(statement);
}

class Collations {
  readonly #session: Session;
  #depth = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Returns the explicit collation that an expression hands on. */
  look(value: unknown): Explicit | undefined {
    if (this.#depth > depthMax) return undefined;
    this.#depth++;
    const found = this.#found(value);
    this.#depth--;
    return found;
  }

  #found(value: unknown): Explicit | undefined {
    if (Array.isArray(value)) {
      for (const each of value) this.look(each);
      return undefined;
    }
    if (!isNode(value)) return undefined;
    const own = named(value);
    const body = own?.body ?? value;
    switch (own?.kind) {
      case 'CollateClause':
        this.look(body.arg);
        return { name: strings(body.collname).at(-1) ?? '', clause: body };
      case 'TypeCast': {
        const inner = this.look(body.arg);
        const type = strings(child(body, 'typeName')?.names).at(-1) ?? '';
        return texts.test(type) ? inner : undefined;
      }
      case 'A_Expr':
        return this.#operation(body);
      case 'FuncCall':
        return this.#call(body);
      case 'CoalesceExpr':
      case 'MinMaxExpr':
        return this.#together(list(body.args));
      case 'A_ArrayExpr':
        return this.#together(list(body.elements));
      case 'CaseExpr': {
        const whens = list(body.args).map((entry) => child(entry, 'CaseWhen') ?? {});
        this.look([body.arg, ...whens.map(({ expr }) => expr)]);
        return this.#together([...whens.map(({ result }) => result), body.defresult]);
      }
      default:
        for (const key in body) this.look(body[key]);
        return undefined;
    }
  }

  #operation(node: Node): Explicit | undefined {
    const [ones, others] = [node.lexpr, node.rexpr].map((side) => child(side, 'RowExpr')?.args);
    if (ones !== undefined && others !== undefined) {
      for (const [index, one] of list(ones).entries()) this.#together([one, list(others)[index]]);
      return undefined;
    }
    const items = child(node.rexpr, 'List')?.items ?? node.rexpr;
    const left = this.look(node.lexpr);
    const rights = Array.isArray(items) ? items : [items];
    const found = rights.map((right) => this.#common([left, this.look(right)]));
    const isText =
      node.kind === 'AEXPR_NULLIF' || (node.kind === 'AEXPR_OP' && strings(node.name).at(-1) === '||');
    return isText ? found[0] : undefined;
  }

  #call(node: Node): Explicit | undefined {
    this.look([node.agg_order, node.agg_filter, node.over]);
    if (node.agg_within_group === true) {
      this.look(node.args);
      return undefined;
    }
    const found = this.#together(list(node.args));
    const facts = this.#session.catalogue.functions(strings(node.funcname).at(-1) ?? '');
    const isText = ({ result }: { readonly result: string }): boolean =>
      texts.test(result) || isPolymorphic(result);
    return facts.length > 0 && facts.every(isText) ? found : undefined;
  }

  #together(values: readonly unknown[]): Explicit | undefined {
    return this.#common(values.map((value) => this.look(value)));
  }

  #common(found: readonly (Explicit | undefined)[]): Explicit | undefined {
    const [first, ...others] = found.filter((each) => each !== undefined);
    const other = others.find(({ name }) => name !== first?.name);
    if (first !== undefined && other !== undefined) {
      this.#session.report({
        code: 'INVALID_CLAUSE',
        message: `collation mismatch between explicit collations "${first.name}" and "${other.name}". ${t('Leave {0} out.', `COLLATE "${other.name}"`)}`,
        at: { CollateClause: other.clause },
        location: number(other.clause.location),
      });
      return undefined;
    }
    return first;
  }
}

/** The types of texts, and of arrays of them. */
const texts = /^_?(?:text|varchar|bpchar|name)$/;
