/** Runs a session's SQL: SELECT of values and columns, FROM one table, WHERE with equality, ORDER BY, and LIMIT. */
import { Digits } from '../json.ts';
import type { Column, Table } from './tables.ts';
import { SqlMistake, wordsOf, type Word } from './words.ts';

export interface Asking {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Returns undefined if no table has this name. */
  readonly table: (schema: string | undefined, name: string) => Table | undefined;
}

type Value = (row: readonly unknown[]) => unknown;

interface Item {
  readonly name: string;
  readonly type: string;
  readonly value: Value;
}

const clauses = ['from', 'where', 'order', 'limit'];

/** @throws SqlMistake */
export function select(asking: Asking): Table {
  return new Reading(asking).run();
}

class Reading {
  readonly #asking: Asking;
  readonly #words: readonly Word[];
  #next = 0;
  #columns: readonly Column[] = [];

  constructor(asking: Asking) {
    this.#asking = asking;
    this.#words = wordsOf(asking.sql);
  }

  run(): Table {
    if (!this.#takes('select')) {
      const { text, at } = this.#word;
      const isMutation = ['insert', 'update', 'delete', 'drop', 'create', 'alter', 'truncate'].includes(text);
      throw new SqlMistake(isMutation ? 'Only SELECT statements are permitted.' : 'SELECT is missing.', at);
    }
    const listAt = this.#next;
    // The select list needs the table's columns, so FROM is parsed first.
    const table = this.#skipTo('from') ? this.#from() : { columns: [], rows: [[]] };
    const behind = this.#next;
    this.#columns = table.columns;
    this.#next = listAt;
    const items = this.#list();
    if (behind > this.#next) this.#next = behind;
    let rows = table.rows;
    if (this.#takes('where')) {
      const is = this.#conditions();
      rows = rows.filter((row) => is(row));
    }
    if (this.#takes('order')) this.#skipOrder();
    if (this.#takes('limit')) rows = rows.slice(0, this.#count());
    this.#takes(';');
    if (this.#word.kind !== 'end') throw this.#mistake();
    return {
      columns: items.map(({ name, type }) => ({ name, type })),
      rows: rows.map((row) => items.map(({ value }) => value(row) ?? null)),
    };
  }

  get #word(): Word {
    return this.#words[this.#next] ?? { kind: 'end', text: '', at: this.#asking.sql.length };
  }

  #takes(text: string): boolean {
    const { kind, text: found } = this.#word;
    const isIt = (kind === 'name' || kind === 'sign') && found === text;
    if (isIt) this.#next += 1;
    return isIt;
  }

  #require(text: string): void {
    if (!this.#takes(text)) throw this.#mistake();
  }

  #mistake(): SqlMistake {
    const { text, at } = this.#word;
    return new SqlMistake(
      text === '' ? 'The text ends too early.' : `Syntax error at or near "${text}".`,
      at,
    );
  }

  /** Moves to the word. Does not move if the word occurs only inside parentheses or not at all. */
  #skipTo(word: string): boolean {
    let depth = 0;
    for (let index = this.#next; index < this.#words.length; index += 1) {
      const { kind, text } = this.#words[index] ?? this.#word;
      if (kind === 'sign' && text === '(') depth += 1;
      if (kind === 'sign' && text === ')') depth -= 1;
      if (depth !== 0 || kind !== 'name' || text !== word) continue;
      this.#next = index + 1;
      return true;
    }
    return false;
  }

  #name(): string {
    const { kind, text } = this.#word;
    if (kind !== 'name' && kind !== 'quoted') throw this.#mistake();
    this.#next += 1;
    return text;
  }

  #from(): Table {
    const { at } = this.#word;
    if (this.#takes('(')) return this.#values();
    const first = this.#name();
    if (first === 'generate_series') return this.#series();
    const name = this.#takes('.') ? this.#name() : undefined;
    const table = this.#asking.table(name === undefined ? undefined : first, name ?? first);
    if (table === undefined)
      throw new SqlMistake(`relation "${name ?? first}" does not exist`, at, 'QUERY_FAILED', '42P01');
    this.#alias();
    return table;
  }

  /** Reads `(VALUES (1), (2)) name(column)`. */
  #values(): Table {
    this.#require('values');
    const rows: (readonly unknown[])[] = [];
    do rows.push(this.#bracketed()([]));
    while (this.#takes(','));
    this.#require(')');
    this.#alias();
    this.#require('(');
    const columns: Column[] = [];
    do columns.push({ name: this.#name(), type: 'int4' });
    while (this.#takes(','));
    this.#require(')');
    return { columns, rows };
  }

  #series(): Table {
    this.#require('(');
    const from = this.#count();
    this.#require(',');
    const to = this.#count();
    this.#require(')');
    const name = this.#alias() ?? 'generate_series';
    const rows = Array.from({ length: to - from + 1 }, (_, index) => [from + index]);
    return { columns: [{ name, type: 'int4' }], rows };
  }

  #count(): number {
    return Number(digitsOf(this.#value().value([])));
  }

  #alias(): string | undefined {
    const { kind, text } = this.#word;
    if (this.#takes('as')) return this.#name();
    return (kind === 'name' && !clauses.includes(text)) || kind === 'quoted' ? this.#name() : undefined;
  }

  #list(): readonly Item[] {
    const items: Item[] = [];
    do {
      if (this.#takes('*')) {
        items.push(
          ...this.#columns.map((column, index) => ({
            ...column,
            value: (row: readonly unknown[]) => row[index],
          })),
        );
        continue;
      }
      const item = this.#value();
      items.push({ ...item, name: this.#alias() ?? item.name });
    } while (this.#takes(','));
    if (this.#word.kind !== 'end' && !clauses.includes(this.#word.text) && this.#word.text !== ';')
      throw this.#mistake();
    return items;
  }

  #conditions(): (row: readonly unknown[]) => boolean {
    const all: ((row: readonly unknown[]) => boolean)[] = [];
    do {
      const left = this.#value();
      if (this.#takes('in')) {
        const values = this.#bracketed();
        all.push((row) =>
          values(row)
            .flat()
            .some((value) => isSame(left.value(row), value)),
        );
      } else if (this.#takes('=')) {
        const right = this.#value();
        all.push((row) => isSame(left.value(row), right.value(row)));
      } else all.push((row) => left.value(row) === true);
    } while (this.#takes('and'));
    return (row) => all.every((is) => is(row));
  }

  #bracketed(): (row: readonly unknown[]) => readonly unknown[] {
    this.#require('(');
    const values: Value[] = [];
    do values.push(this.#value().value);
    while (this.#takes(','));
    this.#require(')');
    return (row) => values.map((value) => value(row));
  }

  #skipOrder(): void {
    this.#require('by');
    while (this.#word.kind !== 'end' && this.#word.text !== 'limit') this.#next += 1;
  }

  #value(): Item {
    let item = this.#single();
    for (;;) {
      const { at } = this.#word;
      if (this.#takes('::')) item = { ...item, type: this.#name() };
      else if (this.#takes('/')) {
        const [left, right] = [item.value, this.#single().value];
        const value: Value = (row) => {
          const divisor = Number(digitsOf(right(row)));
          if (divisor === 0) throw new SqlMistake('division by zero', at, 'QUERY_FAILED', '22012');
          return Math.trunc(Number(digitsOf(left(row))) / divisor);
        };
        item = { name: '?column?', type: 'int4', value };
      } else return item;
    }
  }

  #single(): Item {
    const word = this.#word;
    this.#next += 1;
    const fixed = (value: unknown, type: string): Item => ({ name: '?column?', type, value: () => value });
    switch (word.kind) {
      case 'text':
        return fixed(word.text, 'text');
      case 'number':
        return fixed(new Digits(word.text), word.text.includes('.') ? 'numeric' : 'int4');
      case 'parameter':
        return fixed(this.#parameter(word), 'text');
      case 'name':
      case 'quoted':
        return this.#named(word);
      default:
        this.#next -= 1;
        throw this.#mistake();
    }
  }

  #parameter({ text, at }: Word): unknown {
    const { parameters } = this.#asking;
    if (!Object.hasOwn(parameters, text))
      throw new SqlMistake(`The parameter ${text} has no value.`, at, 'QUERY_FAILED', '42P02');
    return parameters[text];
  }

  #named(word: Word): Item {
    if (word.kind === 'name') {
      if (word.text === 'true' || word.text === 'false')
        return { name: '?column?', type: 'bool', value: () => word.text === 'true' };
      if (word.text === 'null') return { name: '?column?', type: 'text', value: () => null };
      if (word.text === 'cast') return this.#cast();
      if (word.text === 'repeat' && this.#word.text === '(') {
        const values = this.#bracketed();
        const value: Value = (row) => {
          const [text, count] = values(row);
          return String(text).repeat(Number(digitsOf(count)));
        };
        return { name: 'repeat', type: 'text', value };
      }
    }
    const name = this.#takes('.') ? this.#name() : word.text;
    const index = this.#columns.findIndex((column) => column.name === name);
    const column = this.#columns[index];
    if (column === undefined)
      throw new SqlMistake(`column "${name}" does not exist`, word.at, 'QUERY_FAILED', '42703');
    return { ...column, value: (row) => row[index] };
  }

  #cast(): Item {
    this.#require('(');
    const item = this.#value();
    this.#require('as');
    const type = this.#name();
    this.#require(')');
    return { ...item, type };
  }
}

function digitsOf(value: unknown): unknown {
  return value instanceof Digits ? value.text : value;
}

function isSame(left: unknown, right: unknown): boolean {
  return left !== null && right !== null && String(digitsOf(left)) === String(digitsOf(right));
}
