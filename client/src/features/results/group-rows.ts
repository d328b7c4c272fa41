/**
 * Groups the rows of a result into a separate result, which is sorted, displayed, copied and exported like any other.
 */
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import { rowWords } from '#client/ui/format-row-count.ts';
import { locale } from '#client/ui/locale.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { isLoaded } from '#core/reading/rows-writer.ts';
import { filterFacts } from '#core/rows/filter/filter-facts.ts';
import type { RowsPage } from '#core/rows/rows-page.ts';
import type { GroupAnswer, GroupSpec } from '#core/rows/rows.ts';
import { groupColumnName, measureWords } from '#core/rows/summary/group-rows.ts';
import type { RunHeader } from '#core/runs/run-header.ts';
import { runTitle } from '#core/runs/run-title.ts';
import { groupsKeyOf } from './groups-key.ts';
import type { Result } from './result.ts';
import type { ResultsFeature } from './results-feature.ts';
import type { RowsSource } from './rows-source.ts';

const rowsAtOnce = 10_000;

interface GroupOptions {
  /** Earlier groups that these replace. */
  readonly replaced: Result | undefined;
  /** Opens the form for groups that replace the given ones. */
  readonly change: (groups: Result | undefined) => Promise<void>;
}

/** Groups all rows, after loading any that are missing. The same groups open only once; others open beside them. */
export async function openGroups(
  results: ResultsFeature,
  result: Result,
  spec: GroupSpec,
  { replaced, change }: GroupOptions,
): Promise<void> {
  const { state } = result;
  if (state.kind !== 'rows') return;
  if (!isLoaded(state) && !(await results.loadAll(result))) return;
  const source = sourceOf(results, result, { spec, change });
  if (replaced?.isPinned === false) replaced.follow(source.key, source.header);
  await results.open(source, { takeFocus: true });
}

function sourceOf(
  results: ResultsFeature,
  result: Result,
  { spec, change }: Pick<GroupOptions, 'change'> & { readonly spec: GroupSpec },
): RowsSource {
  const key = `${groupsKeyOf(result)}${JSON.stringify(spec)}`;
  const back = async () => await results.reveal(result, { takeFocus: true });
  const steps = [
    {
      title: vscode.l10n.t('Chart'),
      run: async () => await vscode.commands.executeCommand(commands.resultsShowChart),
    },
    {
      title: vscode.l10n.t('Change Groups...'),
      run: async () => await change(results.results.find((one) => one.key === key)),
    },
  ];
  return {
    key,
    // Read for each reading: the groups are those of the current rows, whose filters may have changed.
    get header() {
      return { ...headerOf(result, spec), steps: steps.map(({ title }) => ({ title })) };
    },
    steps: steps.map(
      ({ run }) =>
        () =>
          void run(),
    ),
    goTo: () => void back(),
    pages: () => pagesOf(result, spec),
  };
}

function headerOf(result: Result, spec: GroupSpec): RunHeader {
  const { connection, label, environment, colour, isProtected, model, lines, parameters } = result.header;
  const summarized = runTitle(result.header);
  const { columns } = result.state.kind === 'rows' ? result.state : { columns: [] };
  const nameOf = (one: GroupSpec['by'][number]) => groupColumnName(one, columns[one.column]?.name);
  return {
    origin: 'rows',
    title: vscode.l10n.t('{0} by {1}', summarized, spec.by.map(nameOf).join(', ')),
    summarized,
    ...{ connection, label, environment, colour, isProtected, model, lines, parameters },
    facts: factsOf(result, spec, nameOf),
    measure: spec.by.length,
    isMeasureSum: isSum(spec),
    pivot: spec.across && { name: nameOf(spec.across), isSum: isSum(spec) },
  };
}

/** Averages, extremes and different values of parts do not add up to those of the whole. */
function isSum({ measure }: GroupSpec): boolean {
  return measure.kind === 'count' || measure.kind === 'sum';
}

function factsOf(
  result: Result,
  { across, measure }: GroupSpec,
  nameOf: (of: GroupSpec['by'][number]) => string,
) {
  const { state } = result;
  if (state.kind !== 'rows') return [];
  const measured = measure.column === undefined ? '' : (state.columns[measure.column]?.name ?? '');
  const rows = rowWords(state.viewRowCount);
  return [
    { label: vscode.l10n.t('Shown'), text: measureWords(measure.kind, measured) },
    ...(across === undefined
      ? []
      : [{ label: vscode.l10n.t('Pivot by'), text: vscode.l10n.t('across {0}', nameOf(across)) }]),
    state.extent === 'complete'
      ? { label: vscode.l10n.t('Grouped rows'), text: vscode.l10n.t('of {0}', rows) }
      : {
          label: vscode.l10n.t('Not all rows were loaded'),
          text: vscode.l10n.t('of the first {0}', rows),
        },
    ...filterFacts(state),
  ];
}

async function* pagesOf(result: Result, spec: GroupSpec): AsyncGenerator<RowsPage, void, void> {
  const { data } = result;
  if (data === undefined)
    throw new ExpectedError(vscode.l10n.t('The rows that were grouped are gone. Run the query again.'));
  const answer = await data.ask('group', spec);
  if (answer.kind === 'mixed-amounts')
    throw new ExpectedError(
      answer.mixed === 'currencies'
        ? vscode.l10n.t(
            'The amounts of a group are of several currencies, so they have no sum. Group by their currency, too, or filter the rows.',
          )
        : vscode.l10n.t(
            'In the amounts of a group, it is unclear what separates decimal places, as in {0}, so they have no sum. Filter the rows.',
            '1.234',
          ),
    );
  if (answer.kind !== 'groups') throw tooMany(answer);
  const { columns, rows } = answer;
  for (let from = 0; from === 0 || from < rows.length; from += rowsAtOnce) {
    const isLast = from + rowsAtOnce >= rows.length;
    yield { columns, rows: rows.slice(from, from + rowsAtOnce), isLast, totalRows: rows.length };
  }
}

function tooMany({ kind, most }: Extract<GroupAnswer, { most: number }>): ExpectedError {
  const count = most.toLocaleString(locale());
  return new ExpectedError(
    kind === 'too-many-columns'
      ? vscode.l10n.t(
          'The column has more than {0} values, too many for columns. Group by it instead, or filter the rows.',
          count,
        )
      : vscode.l10n.t('There are more than {0} groups. Group by other columns, or filter the rows.', count),
  );
}
