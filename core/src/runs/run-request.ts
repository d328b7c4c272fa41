/** Builds a request from a statement and its values, and maps the service's positions back to the document. */
import type { SqlPosition } from '#api/client/errors.ts';
import type { SentValues } from '#api/client/query-calls.ts';
import type { ExecuteRequest, ParameterValue } from '#api/contract/execute.ts';
import type { StatementInfo } from '#server/protocol.ts';
import { renderLiterals } from '../parameters/literals.ts';
import type { ParameterField } from '../parameters/parameter-field.ts';
import { offsetWithin, positionInDocument, type TextPosition } from './source-positions.ts';

export interface RunRequest {
  readonly request: Pick<ExecuteRequest, 'query_string' | 'parameters'>;
  /** Maps a position in the sent text to the document as it was when the run started. */
  readonly locate: (position: SqlPosition) => TextPosition;
}

/** @throws EmptyListError if an empty list cannot be written as a literal. */
export function buildRequest(
  statement: Pick<StatementInfo, 'text' | 'range' | 'placeholders'>,
  values: {
    readonly parameters: Readonly<Record<string, ParameterValue>>;
    readonly fields: readonly ParameterField[];
    /** How they reach the service; undefined means `parameters`. */
    readonly sentAs: SentValues | undefined;
  },
): RunRequest {
  const { text, range, placeholders } = statement;
  if (Object.keys(values.parameters).length === 0) {
    return {
      request: { query_string: text },
      locate: (at) => positionInDocument({ sent: text }, range.start, at),
    };
  }
  if (values.sentAs !== 'literals') {
    return {
      request: { query_string: text, parameters: values.parameters },
      locate: (at) => positionInDocument({ sent: text }, range.start, at),
    };
  }
  const places = placeholders.map((use) => ({
    name: use.name,
    start: offsetWithin(text, range.start, use.range.start),
    end: offsetWithin(text, range.start, use.range.end),
  }));
  const literals = Object.entries(values.parameters).map(([name, value]) => {
    const field = values.fields.find((one) => one.name === name);
    // PostgreSQL infers an unknown type from context, as for bound values.
    const type = field === undefined || field.typeFrom === 'nothing' ? undefined : field.type;
    return [name, { value, type }] as const;
  });
  const rendered = renderLiterals(text, places, new Map(literals));
  return {
    request: { query_string: rendered.text },
    locate: (at) =>
      positionInDocument({ sent: rendered.text, typed: text, toTyped: rendered.toTyped }, range.start, at),
  };
}
