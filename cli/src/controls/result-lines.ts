/** Control results for the terminal: one line per control, advice for those that did not pass, and a summary. */
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import type { ControlResult, Outcome } from '#core/controls/control-result.ts';
import { nameOf } from '#core/controls/reports/report.ts';
import type { Style } from '../terminal/style.ts';
import { noteLine } from './control-files.ts';

const words: Readonly<Record<Outcome, string>> = {
  pass: 'pass  ',
  warn: 'warn  ',
  fail: 'FAIL  ',
  waived: 'waived',
  error: 'ERROR ',
};
const colours: Readonly<Record<Outcome, Parameters<Style>[0]>> = {
  pass: 'green',
  warn: 'yellow',
  fail: 'red',
  waived: 'cyan',
  error: ['bold', 'red'],
};

export function resultLines(result: ControlResult, style: Style): string {
  const { outcome, message, place, ms, population } = result;
  const head = `${style(colours[outcome], words[outcome])}  ${forTerminal(nameOf(result))} ${style('dim', `(${seconds(ms)})`)}`;
  const at = `${place.name}:${result.line}`;
  const told =
    // Of a pass, only how much was looked at is not plain.
    outcome === 'pass' && population === undefined
      ? []
      : [`        ${forTerminal(`${at}: ${result.code === undefined ? '' : `${result.code}: `}${message}`)}`];
  const notes = result.notes.map((note) => `        ${noteLine(note)}`);
  return [head, ...told, ...notes].join('\n');
}

export function summaryLine(results: readonly ControlResult[], ms: number): string {
  const counts = (['error', 'fail', 'warn', 'waived', 'pass'] as const).flatMap((outcome) => {
    const count = results.filter((result) => result.outcome === outcome).length;
    return count === 0 ? [] : [`${count} ${summaryWords[outcome]}`];
  });
  const all = results.length === 1 ? '1 control' : `${results.length} controls`;
  return `${all}: ${counts.join(', ')} (${seconds(ms)})`;
}

const summaryWords: Readonly<Record<Outcome, string>> = {
  pass: 'passed',
  warn: 'with a warning',
  fail: 'failed',
  waived: 'waived',
  error: 'in error',
};

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
