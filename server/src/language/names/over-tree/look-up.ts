/** Resolves a name at a position. As in PostgreSQL, the innermost scope with a match wins. */
import { t } from '#base/texts.ts';
import { systemColumns } from '#server/language/text/identifiers.ts';
import { rowFunctionNames } from '#server/language/tree/function-names.ts';
import type { ExpansionLimit } from '../expansion-limit.ts';
import { onlyPositionOf, positionOf } from '../relations/columns-by-name.ts';
import { among, relationNamed, type Among } from '../relations/relations.ts';
import type { ColumnOrigin, Columns } from './columns.ts';
import {
  describeAmbiguous,
  describeColumn,
  describeQualifier,
  guessColumn,
  unseenColumn,
} from './name-advice.ts';
import type { Relation, Scope } from './scopes.ts';

export interface Found {
  /** Undefined if the name does not come from a table, or the table is unknown. */
  readonly origin?: ColumnOrigin | undefined;
  /** The relation, if a bare name is certainly a relation's whole row. */
  readonly row?: Relation;
  /** Why the name is unknown or ambiguous. */
  readonly fault?: Fault;
}

export interface Fault {
  readonly code: 'UNKNOWN_TABLE' | 'UNKNOWN_COLUMN' | 'AMBIGUOUS_COLUMN';
  /** 0-based index of the affected part of the dotted name. */
  readonly part: number;
  /** Whether the conflict is among the innermost relations. */
  readonly isInnermost: boolean;
  /** Called only for reported names, since fuzzy comparison is slower than lookup. */
  readonly describe: () => Description;
}

export interface Description {
  readonly message: string;
  /** The probably intended name as in the catalog, including the model if it differs. */
  readonly meant?: readonly string[] | undefined;
  /** Columns with similar names, any of which may be intended. */
  readonly choices?: readonly (readonly string[])[] | undefined;
}

const nothing: Found = {};

/** Caches the description, so that a name used repeatedly is compared only once per scope. */
function once(describe: () => Description): () => Description {
  let description: Description | undefined;
  return () => (description ??= describe());
}

/** Functions of PostgreSQL that take any row: where no column has the name, `a.to_jsonb` is `to_jsonb(a)`. */
const rowFunctions: ReadonlySet<string> = new Set(rowFunctionNames.split(/\s+/));

export class NameLookup {
  readonly #limit: ExpansionLimit;
  /** Results by scope and name, so that repeated names are resolved only once. */
  readonly #found = new Map<Scope, Map<string, Found>>();

  constructor(limit: ExpansionLimit) {
    this.#limit = limit;
  }

  /** Resolves a dotted name, whose last part may be `*`. Returns an empty result beyond the limit. */
  find(parts: readonly string[], scope: Scope): Found {
    const found = this.#found.get(scope) ?? new Map<string, Found>();
    this.#found.set(scope, found);
    const [first = ''] = parts;
    const name = parts.length === 1 ? first : parts.join('\0');
    const known = found.get(name);
    if (known !== undefined) return known;
    const fresh = this.#limit.compares(() => sizeOf(scope)) ? this.#look(parts, scope) : nothing;
    found.set(name, fresh);
    return fresh;
  }

  #look(parts: readonly string[], scope: Scope): Found {
    return parts.length > 1 ? this.#qualified(parts, scope) : this.#bare(parts[0] ?? '', scope);
  }

  #bare(column: string, scope: Scope): Found {
    // A relation's name means its whole row, unless an outer scope has a column of that name.
    let row: Relation | undefined;
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      const { places, hidden, isOpen } = among(at.relations, column);
      const [found = hidden] = places;
      const origin = found?.relation.columns?.[found.index]?.origin;
      if (places.length > 1 && row === undefined) {
        const { relations } = at;
        const describe = (): Description => {
          const owners = ownersOf(column, places, relations);
          return { message: describeAmbiguous(column, owners[0] ?? '', owners) };
        };
        return {
          origin,
          fault: { code: 'AMBIGUOUS_COLUMN', part: 0, isInnermost: at === scope, describe },
        };
      }
      if (found !== undefined) return { origin };
      if (isOpen) return row === undefined ? { origin: onlyTableOf(at, column) } : nothing;
      if (systemColumns.has(column) && at.relations.some(({ isTable }) => isTable)) return nothing;
      row ??= relationNamed(at.relations, column, undefined);
    }
    if (row !== undefined) return { row };
    const describe = once(() => this.#describeUnknown(column, scope));
    return { fault: { code: 'UNKNOWN_COLUMN', part: 0, isInnermost: false, describe } };
  }

  #describeUnknown(column: string, scope: Scope): Description {
    const seen: string[] = [];
    let unseen: string | undefined;
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      unseen ??= unseenColumn(column, at.unseen);
      for (const { columns, isOnlyQualified } of at.relations) {
        if (!isOnlyQualified) columns?.forEach(({ name }) => seen.push(name));
      }
    }
    if (unseen !== undefined) return { message: describeColumn(column, unseen) };
    if (!hasRelations(scope)) return { message: describeColumn(column, ` ${t('The query has no FROM.')}`) };
    const { question, ...meant } = guessColumn(column, this.#comparable(seen));
    const choices = qualifiedChoices(meant.meant?.[0], scope);
    if (choices === undefined) return { message: describeColumn(column, question), ...meant };
    // Of relations without a name, none can be named, and the name alone would be ambiguous.
    return { message: describeColumn(column, choices.length === 0 ? question : ''), choices };
  }

  #qualified(parts: readonly string[], scope: Scope): Found {
    const [schema, first = '', column = ''] = parts.length > 2 ? parts.slice(-3) : [undefined, ...parts];
    const part = parts.length - 2;
    // Set if an inner scope has an unknown relation that may have this name: a function without an alias, or a table
    // found through the search path.
    let isUnsure = false;
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      const relation = relationNamed(at.relations, first, schema);
      if (relation !== undefined) {
        const found = this.#columnOf(relation, column, part + 1);
        return isUnsure ? { origin: found.origin } : found;
      }
      isUnsure ||= at.relations.some(
        ({ name, schema: own, columns }) =>
          columns === undefined && (name === undefined || (name === first && own === undefined)),
      );
    }
    const describe = once(() => describeQualifier({ schema, first, column }, scope));
    const origin = this.#fieldOf(parts, scope);
    return isUnsure
      ? { origin }
      : { origin, fault: { code: 'UNKNOWN_TABLE', part, isInnermost: false, describe } };
  }

  /** Returns the column in `table.column.field`. PostgreSQL accepts that only with parentheses. */
  #fieldOf([name, column = '', field]: readonly string[], scope: Scope): ColumnOrigin | undefined {
    for (let at: Scope | undefined = scope; at !== undefined && field !== undefined; at = at.parent) {
      const relation = relationNamed(at.relations, name ?? '', undefined);
      if (relation !== undefined) return this.#columnOf(relation, column, 0).origin;
    }
    return undefined;
  }

  /** Resolves a qualified column. Even a column missing from the catalog belongs to the qualifier's table. */
  #columnOf({ name = '', columns, isTable, table }: Relation, column: string, part: number): Found {
    const first = columns && columns[positionOf(columns, column)];
    if (columns === undefined || first === undefined) {
      if (columns !== undefined && rowFunctions.has(column)) {
        if (table !== undefined) table.isReadWhole = true;
        return {};
      }
      const isFine = columns === undefined || column === '*' || (isTable && systemColumns.has(column));
      const origin = table && { table, column };
      return isFine
        ? { origin }
        : { origin, fault: { ...this.#missing(name, columns, column), part, isInnermost: false } };
    }
    const { origin } = first;
    const describe = (): Description => ({ message: describeAmbiguous(column, name, [name, name]) });
    return onlyPositionOf(columns, column) === 'several'
      ? { origin, fault: { code: 'AMBIGUOUS_COLUMN', part, isInnermost: false, describe } }
      : { origin };
  }

  #missing(name: string, columns: NonNullable<Columns>, column: string): Pick<Fault, 'code' | 'describe'> {
    return {
      code: 'UNKNOWN_COLUMN',
      describe: () => {
        const names = columns.map((own) => own.name);
        const { question, ...meant } = guessColumn(column, this.#comparable(names));
        return { message: `${t('There is no column "{0}" in "{1}".', column, name)}${question}`, ...meant };
      },
    };
  }

  /** Returns the names to compare a mistyped name with; empty beyond the limit, since comparisons are slow. */
  #comparable(names: readonly string[]): readonly string[] {
    return this.#limit.suggests(names.length) ? names : [];
  }
}

/** Returns the names of the relations that the columns belong to. One that a join merged belongs to its first. */
function ownersOf(
  column: string,
  places: Among<Relation>['places'],
  relations: readonly Relation[],
): readonly string[] {
  let from = 0;
  return places.map(({ relation }) => {
    const sides = relations.slice(from, (from = relations.indexOf(relation)));
    const first = sides.find(
      ({ merged, columns = [] }) => merged.has(column) && positionOf(columns, column) >= 0,
    );
    return relation.name ?? first?.name ?? 'a subquery';
  });
}

const choicesMax = 3;

/** Returns the column of each relation that has it, if there are several, so that the name alone is ambiguous. */
function qualifiedChoices(
  column: string | undefined,
  scope: Scope,
): readonly (readonly string[])[] | undefined {
  for (let at: Scope | undefined = scope; at !== undefined && column !== undefined; at = at.parent) {
    const { places } = among(at.relations, column);
    if (places.length === 0) continue;
    const owners = new Set(places.flatMap(({ relation }) => relation.name ?? []));
    return places.length === 1 ? undefined : [...owners].slice(0, choicesMax).map((owner) => [owner, column]);
  }
  return undefined;
}

/** If only one table is visible and its columns are unknown, the column must belong to it. */
function onlyTableOf({ relations, parent }: Scope, column: string): ColumnOrigin | undefined {
  const [only] = relations;
  const table = relations.length === 1 && !hasRelations(parent) ? only?.table : undefined;
  return table && { table, column };
}

function hasRelations(scope: Scope | undefined): boolean {
  return scope !== undefined && (scope.relations.length > 0 || hasRelations(scope.parent));
}

/** Returns the number of names that a name in this scope is compared with. */
function sizeOf(scope: Scope): number {
  let size = 0;
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    for (const { columns } of at.relations) size += 1 + (columns?.length ?? 0);
  }
  return size;
}
