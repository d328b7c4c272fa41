/**
 * Functions that a query may not call here: they change settings, reach other sessions or servers, run text as a query,
 * or write. A second belt, never the boundary, which is the login: a view may still call them.
 */
import type { Token } from '../query/lexer.ts';
import { scan } from '../query/lexer.ts';
import type { DatabaseFailure } from '../query/messages.ts';

const refused =
  /^(?:set_config|pg_terminate_backend|pg_cancel_backend|pg_(?:try_)?advisory_\w+|pg_notify|dblink\w*|(?:query|table|schema|database|cursor)_to_xml\w*|ts_stat|ts_rewrite|crosstab\w*|connectby|xpath_table|lo_\w+|loread|lowrite|pg_reload_conf|pg_rotate_logfile|pg_logical_emit_message|pg_log_backend_memory_contexts)$/;

/** The word between a name and its escape character; no function has this name. */
const uescape = 'uescape';

/** Returns the failure of a query that calls such a function; undefined if it calls none. */
export function refusedCall(sql: string): DatabaseFailure | undefined {
  const tokens = scan(sql);
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (next === undefined || sql.slice(next.start, next.end) !== '(') continue;
    const name = nameOf(sql, tokens, index);
    if (name === undefined || (name !== uescape && !refused.test(name))) continue;
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
function nameOf(sql: string, tokens: readonly Token[], index: number): string | undefined {
  const textAt = (at: number): string => sql.slice(tokens[at]?.start ?? 0, tokens[at]?.end ?? 0);
  const text = textAt(index);
  if (tokens[index]?.kind === 'word') return text.toLowerCase();
  const own = quotedName(text);
  if (own !== undefined) return own.isEscaped ? unescaped(own.inner, '\\') : own.inner;
  // U&"..." UESCAPE '!' names another escape character.
  if (textAt(index - 1).toLowerCase() !== uescape) return undefined;
  const before = quotedName(textAt(index - 2));
  if (before?.isEscaped !== true) return undefined;
  // The character may be written as any string: one that is not plain hides a name.
  return /^'[^']'$/u.test(text) ? unescaped(before.inner, text.charAt(1)) : uescape;
}

function quotedName(text: string): { readonly inner: string; readonly isEscaped: boolean } | undefined {
  const start = text.indexOf('"');
  if (start !== 0 && !/^u&"/i.test(text)) return undefined;
  return { inner: text.slice(start + 1, -1).replaceAll('""', '"'), isEscaped: start > 0 };
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
