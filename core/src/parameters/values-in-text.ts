/** Writes the values of a request into its text, for a service without parameters. */
import type { RunRequest } from '#api/client/client.ts';
import { lex } from '#server/language/text/lexer/lex.ts';
import { placeholdersOf } from '#server/language/text/placeholders.ts';
import { renderLiterals } from './literals.ts';

/** PostgreSQL infers the types from their places, as for bound values. @throws EmptyListError */
export function withValuesInText(request: RunRequest): RunRequest {
  const { parameters = {}, ...rest } = request;
  const places = placeholdersOf(lex(request.query_string).code);
  const values = new Map(Object.entries(parameters).map(([name, value]) => [name, { value }]));
  return { ...rest, query_string: renderLiterals(request.query_string, places, values).text };
}
