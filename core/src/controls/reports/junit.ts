/** Formats a run as JUnit XML, which every CI system can show: one test case per control, one suite per folder. */
import { escapeHiddenInLines } from '#base/shown-text/hidden-characters.ts';
import type { ControlResult } from '../control-result.ts';
import { tagText } from '../tags.ts';
import { nameOf, noteText, sampleNote, waiverLines, type ControlReport } from './report.ts';

export function junitOf({ results, startedAt, problems, connection }: ControlReport): string {
  const suites = Map.groupBy(results, ({ place }) => folderOf(place.name));
  const parts = [...suites].map(([folder, cases], index) =>
    suiteOf({ name: folder, cases: cases.map(caseOf), results: cases, startedAt, id: index, connection }),
  );
  if (problems.length > 0)
    parts.push(
      suiteOf({
        name: 'files that could not be read',
        cases: problems.map((problem) =>
          element('testcase', { name: problem.file ?? '-', classname: 'files', time: '0' }, [
            element('error', { type: 'FILE_NOT_READ', message: noteText(problem) }, [
              escaped(noteText(problem)),
            ]),
          ]),
        ),
        results: [],
        errors: problems.length,
        startedAt,
        id: suites.size,
        connection,
      }),
    );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', {}, parts)}\n`;
}

function suiteOf(suite: {
  readonly name: string;
  readonly cases: readonly string[];
  readonly results: readonly ControlResult[];
  readonly errors?: number;
  readonly startedAt: Date;
  readonly id: number;
  readonly connection: string;
}): string {
  const { results } = suite;
  const count = (outcome: ControlResult['outcome']) =>
    results.filter((one) => one.outcome === outcome).length;
  return element(
    'testsuite',
    {
      name: suite.name,
      package: 'identity-queries',
      id: String(suite.id),
      hostname: 'localhost',
      timestamp: suite.startedAt.toISOString().slice(0, 19),
      tests: String(suite.cases.length),
      failures: String(count('fail')),
      errors: String(count('error') + (suite.errors ?? 0)),
      skipped: String(count('waived')),
      time: seconds(results.reduce((sum, { ms }) => sum + ms, 0)),
    },
    [
      element('properties', {}, [element('property', { name: 'connection', value: suite.connection }, [])]),
      ...suite.cases,
      '<system-out/>',
      '<system-err/>',
    ],
  );
}

function caseOf(result: ControlResult): string {
  const { control, outcome, message, code, ms, place } = result;
  const text = [
    `${place.name}:${result.line}`,
    message,
    `outcome: ${outcome}`,
    `severity: ${control.severity}`,
    ...(control.owner === undefined ? [] : [`owner: ${control.owner}`]),
    ...(control.tags.length === 0 ? [] : [`tags: ${control.tags.map(tagText).join(' ')}`]),
    ...waiverLines(result).map((line) => `waived: ${line}`),
    ...result.notes.map(noteText),
    ...sampleLines(result),
  ].join('\n');
  const told: readonly string[] =
    outcome === 'fail'
      ? [element('failure', { type: control.severity, message }, [escaped(text)])]
      : outcome === 'error'
        ? [element('error', { type: code ?? 'ERROR', message }, [escaped(text)])]
        : outcome === 'waived'
          ? [element('skipped', {}, [escaped(text)])]
          : outcome === 'warn'
            ? [element('system-out', {}, [escaped(text)])]
            : [];
  return element(
    'testcase',
    { name: nameOf(result), classname: place.name.replace(/\.identity\.sql$/, ''), time: seconds(ms) },
    told,
  );
}

function sampleLines(result: ControlResult): readonly string[] {
  const { sample } = result;
  if (sample === undefined) return [];
  const note = sampleNote(result);
  const rows = sample.rows.map((row) => row.join('\t'));
  return [sample.columns.join('\t'), ...rows, ...(note === undefined ? [] : [note])];
}

function folderOf(name: string): string {
  const at = name.lastIndexOf('/');
  return at < 0 ? '.' : name.slice(0, at);
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  content: readonly string[],
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  const start = `<${name}${written.join('')}`;
  return content.length === 0 ? `${start}/>` : `${start}>${content.join('')}</${name}>`;
}

/** Escapes text for XML 1.0. Control characters, most of which it does not allow, are shown as hidden ones are. */
function escaped(text: string): string {
  return (
    escapeHiddenInLines(text.toWellFormed())
      .replaceAll(/[\ufffe\uffff]/g, '\ufffd')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll('\n', '&#10;')
      .replaceAll('\t', '&#9;')
      // A build that prints the report finds no command of its log in it: `##vso[`, `##teamcity[`.
      .replaceAll('##', '#&#35;')
  );
}
