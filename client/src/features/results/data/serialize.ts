/** The one way from cells to text. What is seen is what is copied: whole values, numbers digit by digit. */

export type CopyFormat = 'tsv' | 'csv' | 'json' | 'markdown' | 'in-list';

export interface CopyOptions {
  readonly format: CopyFormat;
  /** For tab-separated values; the other tables always have their column names. */
  readonly withHeaders: boolean;
  /** What stands for NULL in tab-separated values, CSV and Markdown. */
  readonly nullText: string;
}

export interface CopyCell {
  /** Null for NULL. */
  readonly text: string | null;
  /** A number, boolean or JSON value, which JSON and SQL write without quotes. */
  readonly isBare: boolean;
}

export interface CopySource {
  readonly names: readonly string[];
  rows(): Iterable<readonly CopyCell[]>;
}

export function serialize(source: CopySource, options: CopyOptions): string {
  switch (options.format) {
    case 'tsv':
      return tsv(source, options);
    case 'csv':
      return csv(source, options.nullText);
    case 'json':
      return json(source);
    case 'markdown':
      return markdown(source, options.nullText);
    case 'in-list':
      return inList(source);
    default:
      return options.format satisfies never;
  }
}

/**
 * As spreadsheets read and write them: a field with a tab, a line break or a quote at its start is quoted, its quotes
 * doubled. A single cell is copied bare, since it goes into a text far more often than into a sheet.
 */
function tsv(source: CopySource, options: CopyOptions): string {
  const lines: string[] = [];
  if (options.withHeaders) lines.push(source.names.map(quoteTsv).join('\t'));
  let single: string | undefined;
  for (const row of source.rows()) {
    const [only] = row;
    if (lines.length === 0 && row.length === 1) single = only?.text ?? options.nullText;
    lines.push(row.map(({ text }) => (text === null ? options.nullText : quoteTsv(text))).join('\t'));
  }
  return lines.length === 1 && single !== undefined ? single : lines.join('\n');
}

function quoteTsv(text: string): string {
  return /[\t\r\n]|^"/.test(text) ? quoted(text) : text;
}

/** RFC 4180, with CRLF. A text that reads like NULL's sign, and an empty one, are quoted, so that they stay texts. */
function csv(source: CopySource, nullText: string): string {
  const field = (text: string) =>
    /[",\r\n]/.test(text) || text === nullText || text === '' ? quoted(text) : text;
  const lines = [source.names.map(field).join(',')];
  for (const row of source.rows()) {
    lines.push(row.map(({ text }) => (text === null ? nullText : field(text))).join(','));
  }
  return `${lines.join('\r\n')}\r\n`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** One object a row. Columns of the same name are told apart by a number, since an object has each name once. */
function json(source: CopySource): string {
  const names = distinctNames(source.names).map((name) => JSON.stringify(name));
  const rows: string[] = [];
  for (const row of source.rows()) {
    const members = row.map(({ text, isBare }, column) => {
      const value = text === null ? 'null' : isBare && isJsonValue(text) ? text : JSON.stringify(text);
      return `${names[column] ?? '""'}: ${value}`;
    });
    rows.push(`  { ${members.join(', ')} }`);
  }
  return rows.length === 0 ? '[]' : `[\n${rows.join(',\n')}\n]`;
}

/** NaN and the infinities are numbers that JSON cannot write. */
function isJsonValue(text: string): boolean {
  return !/^-?(?:nan|infinity)$/i.test(text);
}

function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let distinct = name;
    for (let count = 2; taken.has(distinct); count += 1) distinct = `${name}_${count}`;
    taken.add(distinct);
    return distinct;
  });
}

function markdown(source: CopySource, nullText: string): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const lines = [line(source.names.map(escapeMarkdown)), line(source.names.map(() => '---'))];
  for (const row of source.rows()) {
    lines.push(line(row.map(({ text }) => (text === null ? nullText : escapeMarkdown(text)))));
  }
  return lines.join('\n');
}

/** Keeps a value in its cell and from becoming markup. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>|~#]/g, String.raw`\$&`).replace(/\r\n|[\r\n]/g, '<br>');
}

/**
 * Values for `IN (...)`: each once, as SQL literals. NULL is left out: `x IN (NULL)` is never true, and `NOT IN` with a
 * NULL in it never either.
 */
function inList(source: CopySource): string {
  const literals = new Set<string>();
  for (const row of source.rows()) {
    for (const { text, isBare } of row) {
      if (text === null) continue;
      const isNumber = isBare && /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text);
      literals.add(
        isNumber || (isBare && /^(?:true|false)$/.test(text)) ? text : `'${text.replaceAll("'", "''")}'`,
      );
    }
  }
  return `(${[...literals].join(', ')})`;
}
