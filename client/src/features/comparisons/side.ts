/** One side of a comparison: its labels, and rows that outlive their source. */
import * as vscode from 'vscode';
import { recordedText } from '#base/words/moment-text.ts';
import { rowWords } from '#client/ui/format-row-count.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { HeldRows } from '#core/rows/result-operations.ts';
import type { RunHeader } from '#core/runs/run-header.ts';
import { versionTitle } from '#core/runs/run-title.ts';
import type { ComparedSide, Result, ResultsFeature, RowsOfRun } from '../results/index.ts';

export interface Side {
  readonly rows: HeldRows;
  readonly words: ComparedSide;
  /** Name without the version and other details. */
  readonly name: string;
  /** Where the rows were read, if that is known. */
  readonly connection?: string | undefined;
  /** Time at which the rows were read, in milliseconds since 1970. */
  readonly at: number;
  /** The saved query and version of the run, if any. */
  readonly version?: { readonly query: string; readonly version: number } | undefined;
  /** Returns newer rows from the same source, or undefined if there are none. */
  readonly renew?: (() => Promise<Side | undefined>) | undefined;
}

/** @throws ExpectedError if the result has no rows. */
export async function sideOfResult(
  results: ResultsFeature,
  result: Result,
  options: { readonly withParameters?: boolean } = {},
): Promise<Side> {
  return {
    ...(await sideOfRows(results, result, options)),
    renew: async () =>
      results.results.includes(result) && result.state.kind === 'rows' && result.data !== undefined
        ? await sideOfResult(results, result)
        : undefined,
  };
}

/** @throws ExpectedError if there are no rows. */
export async function sideOfRows(
  results: ResultsFeature,
  { state, data, header }: RowsOfRun,
  { withParameters = true }: { readonly withParameters?: boolean } = {},
): Promise<Side> {
  if (state.kind !== 'rows' || data === undefined)
    throw new ExpectedError(vscode.l10n.t('{0} has no rows to compare. Run it first.', header.title));
  const rows = await results.operations.fork(data);
  const count = rowWords(state.rowCount);
  return {
    rows,
    name: header.title,
    connection: header.connection,
    at: state.finishedAt,
    version:
      header.version === undefined || header.isModified === true
        ? undefined
        : { query: header.title, version: header.version },
    words: {
      title: versionTitle(header),
      facts: [
        ...factsOf(withParameters ? header : { ...header, parameters: [] }),
        recordedText(state.finishedAt),
        count,
      ],
      warning:
        state.extent === 'complete' ? undefined : vscode.l10n.t('only the {0} that were loaded', count),
    },
  };
}

function factsOf(header: RunHeader): string[] {
  const { connection, environment, part, parameters, lines, facts } = header;
  const place = environment === undefined ? connection : `${connection ?? ''} (${environment})`;
  const all: readonly (string | undefined)[] = [
    place,
    part,
    lines && vscode.l10n.t('lines {0} to {1}', lines.first, lines.last),
    ...(facts ?? []).map(({ text }) => text),
    ...parameters.map(({ name, text, isNull, isEmpty, isSecret }) => {
      const value =
        isSecret === true ? '•••' : isNull ? 'NULL' : isEmpty === true ? vscode.l10n.t('(empty)') : text;
      return `:${name} = ${value}`;
    }),
  ];
  return all.flatMap((fact) => (fact === undefined || fact === '' ? [] : [fact]));
}

/** Returns the two sides in order: the lower version of the same query first, otherwise the one read first. */
export function inOrder(one: Side, other: Side): { readonly before: Side; readonly after: Side } {
  const isSameQuery = one.version !== undefined && one.version.query === other.version?.query;
  const versions = isSameQuery ? one.version.version - other.version.version : 0;
  const isLater = versions === 0 ? one.at > other.at : versions > 0;
  return isLater ? { before: other, after: one } : { before: one, after: other };
}
