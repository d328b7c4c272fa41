/**
 * Functions that a query may not call here: they change settings, reach other sessions or servers, run text as a query,
 * or write. A second belt, never the boundary, which is the login: a view may still call them.
 */
import type { Token } from '../query/lexer.ts';
import { scan } from '../query/lexer.ts';
import type { DatabaseFailure } from '../query/messages.ts';

const refused =
  /^(?:set_config|pg_terminate_backend|pg_cancel_backend|pg_(?:try_)?advisory_\w+|pg_notify|dblink\w*|(?:query|table|schema|database|cursor)_to_xml\w*|lo_\w+|loread|lowrite|pg_reload_conf|pg_rotate_logfile|pg_logical_emit_message|pg_log_backend_memory_contexts)$/;

/** Returns the failure of a query that calls such a function; undefined if it calls none. */
export function refusedCall(sql: string): DatabaseFailure | undefined {
  const tokens = scan(sql);
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (next === undefined || sql.slice(next.start, next.end) !== '(') continue;
    const name = nameOf(sql, token, tokens[index - 1]);
    if (name === undefined || !refused.test(name)) continue;
    return {
      phase: 'parse',
      sqlState: '42501',
      message: `The function ${name} cannot be called here.`,
      hint: 'Queries only read: they do not change settings, reach other sessions, or run text as a query.',
      // PostgreSQL counts code points.
      position: Array.from(sql.slice(0, token.start)).length + 1,
    };
  }
  return undefined;
}

/** Returns the name that PostgreSQL looks up for an identifier before a bracket; undefined for anything else. */
function nameOf(sql: string, token: Token, before: Token | undefined): string | undefined {
  const text = sql.slice(token.start, token.end);
  if (token.kind === 'word') return text.toLowerCase();
  const [, escaped, inner] = /^([uU]&)?"([^]*)"$/.exec(text) ?? [];
  if (inner !== undefined) {
    const plain = inner.replaceAll('""', '"');
    return escaped === undefined ? plain : unescaped(plain, '\\');
  }
  // U&"..." UESCAPE '!' names another escape character.
  const isUescape = before !== undefined && /^uescape$/i.test(sql.slice(before.start, before.end));
  if (!isUescape) return undefined;
  const quoted = /[uU]&"((?:[^"]|"")*)"\s*$/.exec(sql.slice(0, before.start))?.[1];
  return quoted === undefined ? undefined : unescaped(quoted.replaceAll('""', '"'), text.charAt(1));
}

function unescaped(text: string, escape: string): string {
  const sign = `\\u{${escape.codePointAt(0)?.toString(16) ?? '5c'}}`;
  const pattern = new RegExp(`${sign}(?:\\+([\\da-f]{6})|([\\da-f]{4})|(${sign}))`, 'giu');
  return text.replaceAll(
    pattern,
    (whole, six: string | undefined, four: string | undefined, self: string | undefined) => {
      if (self !== undefined) return escape;
      const code = Number.parseInt(six ?? four ?? '', 16);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    },
  );
}
