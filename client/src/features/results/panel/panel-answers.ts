/** Answers the questions from the page that the host handles itself; questions about rows go to the store. */
import { answerWith, type Answers } from '#core/questions/question-map.ts';
import { ResultDisposedError } from '#core/rows/result-data.ts';
import type { CellRange } from '#core/rows/rows.ts';
import type { HostQuestions, PanelBody } from '#panel-protocol/panel-questions.ts';
import type { Result } from '../result.ts';
import { copiedWords } from './copied-message.ts';
import type { PanelServices } from './panel-services.ts';

export interface HostAnswerContext {
  readonly result: Result;
  readonly services: PanelServices;
  readonly signal: AbortSignal;
  /** Stores the page's selection. */
  readonly select: (range: CellRange | undefined, isCovered: boolean) => void;
}

const answers: Answers<HostQuestions, HostAnswerContext> = {
  /** Statistics for a single cell are pointless. */
  async selection(range, { result, select, signal }) {
    const cells = sizeOfRange(range);
    select(cells > 0 ? range : undefined, range.isCovered === true);
    return cells < 2 ? undefined : await rowsOf(result).ask('aggregate', range, { signal });
  },
  layout({ columns }, { result }) {
    result.shownColumns = columns;
    return undefined;
  },
  async copy({ range, format, withHeaders }, { result, services }) {
    const data = rowsOf(result);
    const isTable = format === 'tsv' && sizeOfRange(range) > 1;
    const withNames = withHeaders || (isTable && services.copiesNames());
    const options = { format, withHeaders: withNames, ...services.textOptions(result) };
    await services.copy(data.ask('copy', { range, options }));
    const hasTimes = isTable && options.timesForSheets === true && hasZonedTimes(result, range);
    const rows = range.lastRow - range.firstRow + 1;
    return copiedWords({ rows, columns: range.columns.length, withNames, hasTimes }, services);
  },
  identify: ({ globalId }, { services, result }) => services.identify(globalId, result),
};

export function answerPanel(asked: PanelBody['asked'], context: HostAnswerContext): unknown {
  switch (asked.question) {
    case 'selection':
    case 'layout':
    case 'copy':
    case 'identify':
      return answerWith(answers, asked, context);
    case 'values': {
      const { arranging } = context.result.actions ?? {};
      if (arranging !== undefined) return arranging.values({ ...asked.request, signal: context.signal });
      return rowsOf(context.result).ask(asked.question, asked.request, { signal: context.signal });
    }
    default:
      return rowsOf(context.result).ask(asked.question, asked.request, { signal: context.signal });
  }
}

/** Whether copied times were written in UTC. */
function hasZonedTimes({ state }: Result, { columns }: CellRange): boolean {
  return state.kind === 'rows' && columns.some((column) => zonedTime.test(state.columns[column]?.type ?? ''));
}

const zonedTime = /^timestamptz|^timestamp\b.*\bwith time zone/i;

/** A run without rows is treated like a run whose rows have been disposed. */
function rowsOf({ data }: Result) {
  if (data === undefined) throw new ResultDisposedError();
  return data;
}

export function sizeOfRange({ firstRow, lastRow, columns }: CellRange): number {
  return (lastRow - firstRow + 1) * columns.length;
}
