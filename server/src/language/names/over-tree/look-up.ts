/** Resolves a name at a position. As in PostgreSQL, the innermost scope with a match wins. */
import { t } from '#base/texts.ts';
import type { ExpansionLimit } from '../expansion-limit.ts';
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
  readonly choices?: readonly string[] | undefined;
}

const nothing: Found = {};

/** Caches the description, so that a name used repeatedly is compared only once per scope. */
function once(describe: () => Description): () => Description {
  let description: Description | undefined;
  return () => (description ??= describe());
}

const systemColumns = new Set(['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid']);

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
    if (known !== undefined) {
      return known;
    }
    const fresh = this.#limit.compares(() => sizeOf(scope)) ? this.#look(parts, scope) : nothing;
    found.set(name, fresh);
    return fresh;
  }

  #look(parts: readonly string[], scope: Scope): Found {
    return parts.length > 1 ? this.#qualified(parts, scope) : this.#bare(parts[0] ?? '', scope);
  }

  #bare(column: string, scope: Scope): Found {
    // A relation's name means its whole row, unless an outer scope has a column of that name.
    let isRow = false;
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      const { owners, origin, isFound, isOpen } = columnAmong(at.relations, column);
      const [owner = ''] = owners;
      if (owners.length > 1 && !isRow) {
        const describe = (): Description => ({ message: describeAmbiguous(column, owner, owners) });
        return {
          origin,
          fault: { code: 'AMBIGUOUS_COLUMN', part: 0, isInnermost: at === scope, describe },
        };
      }
      if (isFound) {
        return { origin };
      }
      if (isOpen) {
        return isRow ? nothing : { origin: onlyTableOf(at, column) };
      }
      if (systemColumns.has(column) && at.relations.some(({ isTable }) => isTable === true)) {
        return nothing;
      }
      isRow ||= at.relations.some(({ name }) => name === column);
    }
    if (isRow) {
      return nothing;
    }
    const describe = once(() => this.#describeUnknown(column, scope));
    return { fault: { code: 'UNKNOWN_COLUMN', part: 0, isInnermost: false, describe } };
  }

  #describeUnknown(column: string, scope: Scope): Description {
    const seen: string[] = [];
    let unseen: string | undefined;
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      unseen ??= unseenColumn(column, at.unseen);
      for (const { columns, isOnlyQualified } of at.relations) {
        if (isOnlyQualified !== true) {
          columns?.names.forEach((each) => seen.push(each));
        }
      }
    }
    if (unseen !== undefined) {
      return { message: describeColumn(column, unseen) };
    }
    if (!hasRelations(scope)) return { message: describeColumn(column, ` ${t('The query has no FROM.')}`) };
    const { question, ...meant } = guessColumn(column, this.#comparable(seen));
    return { message: describeColumn(column, question), ...meant };
  }

  #qualified(parts: readonly string[], scope: Scope): Found {
    const [schema, first = '', column = ''] = parts.length > 2 ? parts.slice(-3) : [undefined, ...parts];
    const part = parts.length - 2;
    // Set if an inner scope has an unknown relation that may have this name: a function without an alias, or a table
    // found through the search path.
    let isUnsure = false;
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      const relation = at.relations.find(
        (each) => each.name === first && (schema === undefined || each.schema === schema),
      );
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
      const relation = at.relations.find((each) => each.name === name);
      if (relation !== undefined) {
        return this.#columnOf(relation, column, 0).origin;
      }
    }
    return undefined;
  }

  /** Resolves a qualified column. Even a column missing from the catalog belongs to the qualifier's table. */
  #columnOf({ name = '', columns, isTable, table }: Relation, column: string, part: number): Found {
    const index = columns?.names.indexOf(column) ?? -1;
    if (columns === undefined || index < 0) {
      const isFine =
        columns === undefined || column === '*' || (isTable === true && systemColumns.has(column));
      const origin = table && { table, column };
      return isFine
        ? { origin }
        : { origin, fault: { ...this.#missing(name, columns, column), part, isInnermost: false } };
    }
    const origin = columns.origins[index];
    const describe = (): Description => ({ message: describeAmbiguous(column, name, [name, name]) });
    return columns.names.includes(column, index + 1)
      ? { origin, fault: { code: 'AMBIGUOUS_COLUMN', part, isInnermost: false, describe } }
      : { origin };
  }

  #missing(name: string, { names }: NonNullable<Columns>, column: string): Pick<Fault, 'code' | 'describe'> {
    return {
      code: 'UNKNOWN_COLUMN',
      describe: () => {
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

interface Among {
  /** Names of the relations with the column, one per occurrence; merged columns count once. */
  readonly owners: readonly string[];
  readonly isFound: boolean;
  /** The column's origin in the first match. Other matches share it, or the name is ambiguous. */
  readonly origin: ColumnOrigin | undefined;
  /** Whether the columns of any relation are unknown. */
  readonly isOpen: boolean;
}

function columnAmong(relations: readonly Relation[], column: string): Among {
  const owners: string[] = [];
  let isFound = false;
  let isOpen = false;
  let origin: ColumnOrigin | undefined;
  for (const { name = 'a subquery', columns, merged, isOnlyQualified } of relations) {
    isOpen ||= columns === undefined;
    if (columns === undefined || isOnlyQualified === true) {
      continue;
    }
    const { names, origins } = columns;
    for (let index = names.indexOf(column); index >= 0; index = names.indexOf(column, index + 1)) {
      origin = isFound ? origin : origins[index];
      isFound = true;
      if (!merged.has(column)) {
        owners.push(name);
      }
    }
  }
  return { owners, isFound, origin, isOpen };
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
    for (const { columns } of at.relations) {
      size += 1 + (columns?.names.length ?? 0);
    }
  }
  return size;
}
