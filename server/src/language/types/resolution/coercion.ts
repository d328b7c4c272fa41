/** Type conversions as in PostgreSQL (manual, "Type Conversion"; parse_coerce.c). */
import type { CastContext, TypeCatalogue, TypeName } from '../catalogue/catalogue.ts';

const rank: Readonly<Record<CastContext, number>> = { implicit: 0, assignment: 1, explicit: 2 };

export const isPolymorphic = (type: TypeName): boolean => polymorphic.has(type);

const polymorphic = new Set([
  'anyelement',
  'anyarray',
  'anynonarray',
  'anyenum',
  'anyrange',
  'anymultirange',
  'anycompatible',
  'anycompatiblearray',
  'anycompatiblenonarray',
  'anycompatiblerange',
  'anycompatiblemultirange',
]);

export class Coercion {
  readonly catalogue: TypeCatalogue;

  constructor(catalogue: TypeCatalogue) {
    this.catalogue = catalogue;
  }

  category(type: TypeName): string {
    return this.catalogue.type(type)?.category ?? 'X';
  }

  isPreferred(type: TypeName): boolean {
    return this.catalogue.type(type)?.isPreferred ?? false;
  }

  element(type: TypeName): TypeName | undefined {
    return this.catalogue.type(type)?.element;
  }

  array(type: TypeName): TypeName | undefined {
    return this.catalogue.type(type)?.array;
  }

  shown(type: TypeName): string {
    return this.catalogue.type(type)?.shown ?? type;
  }

  /**
   * Returns whether a value of the source type is accepted as the target type. A polymorphic target accepts everything
   * here.
   */
  can(source: TypeName, target: TypeName, context: CastContext = 'implicit'): boolean {
    return (
      source === target ||
      target === 'any' ||
      source === 'unknown' ||
      isPolymorphic(target) ||
      this.hasPath(source, target, context)
    );
  }

  hasPath(source: TypeName, target: TypeName, context: CastContext): boolean {
    if (source === target) return true;
    const cast = this.catalogue.cast(source, target);
    if (cast !== undefined) return rank[cast] <= rank[context];
    const [from, to] = [this.element(source), this.element(target)];
    if (from !== undefined && to !== undefined && !isVector(target) && this.hasPath(from, to, context))
      return true;
    // The conversion goes through text.
    if (this.#isPseudo(source) || this.#isPseudo(target))
      return source === 'record' && rank[context] >= rank.assignment && this.category(target) === 'S';
    return (
      (rank[context] >= rank.assignment && this.category(target) === 'S') ||
      (context === 'explicit' && this.category(source) === 'S')
    );
  }

  /** Returns the common type that UNION, CASE, COALESCE and ARRAY use, or the two conflicting types. */
  common(types: readonly TypeName[]): TypeName | { readonly first: TypeName; readonly second: TypeName } {
    let chosen = types[0] ?? 'unknown';
    for (const type of types.slice(1)) {
      if (type === 'unknown' || type === chosen) continue;
      if (chosen === 'unknown') {
        chosen = type;
      } else if (this.category(type) !== this.category(chosen)) {
        return { first: chosen, second: type };
      } else if (!this.isPreferred(chosen) && this.can(chosen, type) && !this.can(type, chosen)) {
        chosen = type;
      }
    }
    return chosen === 'unknown' ? 'text' : chosen;
  }

  #isPseudo(type: TypeName): boolean {
    return this.catalogue.type(type)?.kind === 'p' && type !== 'cstring';
  }
}

const isVector = (type: TypeName): boolean => type === 'int2vector' || type === 'oidvector';
