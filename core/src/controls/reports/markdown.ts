/** Formats a run as Markdown, for a pull request or a job summary. */
import { htmlLine, reportLine } from '#base/shown-text/for-markdown.ts';
import { minuteText } from '#base/words/minute-text.ts';
import { exitCodeOf, outcomes, worstFirst, type ControlResult, type Outcome } from '../control-result.ts';
import { nameOf, noteText, sampleNote, waiverLines, type ControlReport } from './report.ts';

const icons: Readonly<Record<Outcome, string>> = {
  pass: '✅',
  warn: '⚠️',
  fail: '❌',
  waived: '☑️',
  error: '❗',
};
const words: Readonly<Record<Outcome, string>> = {
  pass: 'passed',
  warn: 'warned',
  fail: 'failed',
  waived: 'waived',
  error: 'in error',
};

export function markdownOf({ results, startedAt, connection, problems }: ControlReport): string {
  const counts = outcomes.flatMap((outcome) => {
    const count = results.filter((result) => result.outcome === outcome).length;
    return count === 0 ? [] : [`${count} ${words[outcome]}`];
  });
  const isGood = exitCodeOf(results) === 0 && problems.length === 0;
  const sorted = [...results].sort((a, b) => worstFirst(a.outcome, b.outcome));
  return [
    `## ${isGood ? icons.pass : icons.fail} Controls: ${counts.join(', ')}`,
    '',
    `On ${reportLine(connection)}, ${minuteText(startedAt.toISOString())} UTC.`,
    '',
    '| Outcome | Control | Severity | Message | Where |',
    '| --- | --- | --- | --- | --- |',
    ...sorted.map(row),
    ...listed('Files that could not be read', problems.map(noteText)),
    ...listed(
      'To see to',
      results.flatMap(({ notes }) => notes.map(noteText)),
    ),
    ...listed(
      'Waived rows',
      sorted.flatMap((result) => waiverLines(result).map((line) => `${nameOf(result)}: ${line}`)),
    ),
    ...sorted.flatMap(sampleOf),
    '',
  ].join('\n');
}

function row(result: ControlResult): string {
  const { outcome, control, message, place } = result;
  const cells = [
    `${icons[outcome]} ${words[outcome]}`,
    cell(nameOf(result)),
    control.severity,
    cell(message),
    cell(`${place.name}:${result.line}`),
  ];
  return `| ${cells.join(' | ')} |`;
}

function listed(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `### ${title}`, '', ...lines.map((line) => `- ${cell(line)}`)];
}

function sampleOf(result: ControlResult): readonly string[] {
  const { sample } = result;
  if (sample === undefined || sample.rows.length === 0 || result.outcome === 'pass') return [];
  const note = sampleNote(result);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    '',
    `<details><summary>Rows of ${htmlLine(nameOf(result))}</summary>`,
    '',
    line(sample.columns.map(cell)),
    line(sample.columns.map(() => '---')),
    ...sample.rows.map((cells) => line(cells.map(cell))),
    '',
    ...(note === undefined ? [] : [note, '']),
    '</details>',
  ];
}

/** Formats a string to fit on one line of a table. */
function cell(text: string): string {
  return reportLine(text);
}
