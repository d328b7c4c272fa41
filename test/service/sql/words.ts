/** A SQL tokenizer, limited to what this service needs. */

export interface Word {
  readonly kind: 'name' | 'quoted' | 'text' | 'number' | 'parameter' | 'sign' | 'end';
  /** Text without quotes. Unquoted names are in lower case. */
  readonly text: string;
  readonly at: number;
}

export class SqlMistake extends Error {
  readonly at: number;
  readonly code: 'QUERY_PARSE_ERROR' | 'QUERY_FAILED';
  readonly sqlState: string;

  constructor(
    message: string,
    at: number,
    code: SqlMistake['code'] = 'QUERY_PARSE_ERROR',
    sqlState = '42601',
  ) {
    super(message);
    this.at = at;
    this.code = code;
    this.sqlState = sqlState;
  }
}

const pattern =
  /(?<space>\s+|--[^\n]*|\/\*[^]*?\*\/)|(?<name>[A-Za-z_]\w*)|"(?<quoted>(?:[^"]|"")*)"|'(?<text>(?:[^']|'')*)'|(?<number>\d+(?:\.\d+)?)|:(?<parameter>[A-Za-z_]\w*)|(?<sign>::|<=|>=|<>|!=|[(),.*=<>+/;-])/y;

/** @throws SqlMistake */
export function wordsOf(sql: string): readonly Word[] {
  const words: Word[] = [];
  const reader = new RegExp(pattern);
  while (reader.lastIndex < sql.length) {
    const at = reader.lastIndex;
    const groups = reader.exec(sql)?.groups;
    if (groups === undefined) throw new SqlMistake(`Not understood: ${sql.charAt(at)}`, at);
    const { space, name, quoted, text, number, parameter, sign } = groups;
    if (space !== undefined) continue;
    if (name !== undefined) words.push({ kind: 'name', text: name.toLowerCase(), at });
    else if (quoted !== undefined) words.push({ kind: 'quoted', text: quoted.replaceAll('""', '"'), at });
    else if (text !== undefined) words.push({ kind: 'text', text: text.replaceAll("''", "'"), at });
    else if (number !== undefined) words.push({ kind: 'number', text: number, at });
    else if (parameter !== undefined) words.push({ kind: 'parameter', text: parameter, at });
    else words.push({ kind: 'sign', text: sign ?? '', at });
  }
  return [...words, { kind: 'end', text: '', at: sql.length }];
}
