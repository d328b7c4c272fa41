/** Resolves a function's polymorphic types for a call (manual, "Polymorphic Types"). */
import type { TypeName } from '../catalogue/catalogue.ts';
import { isPolymorphic, type Coercion } from './coercion.ts';

/** The actual types of a call's polymorphic types. */
export interface Bound {
  /** Returns the actual type for a declared argument or result type, or undefined if it is unknown. */
  of(declared: TypeName): TypeName | undefined;
}

/** Returns undefined if the types conflict. `unknown` matches everything. */
export function bindPolymorphic(
  coercion: Coercion,
  declared: readonly TypeName[],
  actual: readonly TypeName[],
): Bound | undefined {
  const own = new Family(coercion, false);
  const compatible = new Family(coercion, true);
  for (const [index, type] of declared.entries()) {
    const given = actual[index] ?? 'unknown';
    if (isPolymorphic(type) && given !== 'unknown') {
      const family = type.startsWith('anycompatible') ? compatible : own;
      if (!family.add(plainKind(type), given)) return undefined;
    }
  }
  if (!own.settle() || !compatible.settle()) return undefined;
  return {
    of(type) {
      if (!isPolymorphic(type)) return type;
      const family = type.startsWith('anycompatible') ? compatible : own;
      return family.of(plainKind(type));
    },
  };
}

type Kind = 'element' | 'array' | 'range' | 'multirange' | 'nonarray' | 'enum';

function plainKind(type: TypeName): Kind {
  const word = type.replace(/^any(compatible)?/, '');
  return word === '' ? 'element' : (word as Kind); // a Kind, since `isPolymorphic` accepts no other names
}

class Family {
  readonly #coercion: Coercion;
  readonly #isCompatible: boolean;
  readonly #elements: TypeName[] = [];
  readonly #arrays: TypeName[] = [];
  #range: TypeName | undefined;
  #multirange: TypeName | undefined;
  /** Types of elements and array elements, in argument order. */
  readonly #elementTypes: TypeName[] = [];
  #isNonArray = false;
  #isEnum = false;
  #element: TypeName | undefined;

  constructor(coercion: Coercion, isCompatible: boolean) {
    this.#coercion = coercion;
    this.#isCompatible = isCompatible;
  }

  add(kind: Kind, given: TypeName): boolean {
    const { catalogue } = this.#coercion;
    switch (kind) {
      case 'nonarray':
      case 'enum':
      case 'element':
        this.#isNonArray ||= kind === 'nonarray';
        this.#isEnum ||= kind === 'enum';
        this.#elements.push(given);
        this.#elementTypes.push(given);
        return true;
      case 'array': {
        const element = catalogue.type(given)?.element;
        if (element === undefined) return given === 'anyarray';
        this.#arrays.push(given);
        this.#elementTypes.push(element);
        return true;
      }
      case 'range': {
        if (catalogue.range(given) === undefined || (this.#range ?? given) !== given) return false;
        this.#range = given;
        return true;
      }
      case 'multirange':
        if (catalogue.type(given)?.kind !== 'm' || (this.#multirange ?? given) !== given) return false;
        this.#multirange = given;
        return true;
    }
  }

  settle(): boolean {
    const { catalogue } = this.#coercion;
    for (const [range, { multirange }] of catalogue.ranges) {
      if (multirange === this.#multirange) {
        if ((this.#range ?? range) !== range) return false;
        this.#range = range;
      }
    }
    const ofArrays = this.#arrays.flatMap((array) => catalogue.type(array)?.element ?? []);
    const subtype = this.#range === undefined ? undefined : catalogue.range(this.#range)?.subtype;
    return (
      (this.#isCompatible ? this.#settleCompatible(subtype) : this.#settleSame(ofArrays, subtype)) &&
      this.#fits()
    );
  }

  of(kind: Kind): TypeName | undefined {
    switch (kind) {
      case 'element':
      case 'nonarray':
      case 'enum':
        return this.#element ?? (this.#isCompatible ? 'text' : undefined);
      case 'array': {
        const element = this.#element ?? (this.#isCompatible ? 'text' : undefined);
        return element === undefined ? undefined : this.#coercion.array(element);
      }
      case 'range':
        return this.#range;
      case 'multirange':
        return (
          this.#multirange ??
          (this.#range === undefined ? undefined : this.#coercion.catalogue.range(this.#range)?.multirange)
        );
    }
  }

  #settleSame(ofArrays: readonly TypeName[], subtype: TypeName | undefined): boolean {
    const all = [...this.#elements, ...ofArrays, ...(subtype === undefined ? [] : [subtype])];
    this.#element = all[0];
    return all.every((type) => type === this.#element);
  }

  #settleCompatible(subtype: TypeName | undefined): boolean {
    const all = this.#elementTypes;
    if (subtype !== undefined) {
      this.#element = subtype;
      return all.every((type) => this.#coercion.can(type, subtype));
    }
    if (all.length === 0) return true;
    const common = this.#coercion.common(all);
    if (typeof common !== 'string') return false;
    this.#element = common;
    return all.every((type) => this.#coercion.can(type, common));
  }

  #fits(): boolean {
    const type = this.#element === undefined ? undefined : this.#coercion.catalogue.type(this.#element);
    return !(this.#isNonArray && type?.element !== undefined) && !(this.#isEnum && type?.category !== 'E');
  }
}
