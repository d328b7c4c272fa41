/** Findings as SARIF 2.1.0 (OASIS), which code hosts show next to the lines of a pull request. */
import { sarifMessage } from '#base/shown-text/for-sarif.ts';
import type { CheckedFile } from './report.ts';

const levels: ReadonlyMap<string, 'error' | 'warning' | 'note'> = new Map([
  ['error', 'error'],
  ['warning', 'warning'],
]);

export function sarifOf(files: readonly CheckedFile[]): unknown {
  const found = files.flatMap(({ file, diagnostics }) => diagnostics.map((one) => ({ file, ...one })));
  const rules = [...new Set(found.map(({ code }) => code))].sort();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Identity Queries', rules: rules.map((id) => ({ id })) } },
        columnKind: 'utf16CodeUnits',
        results: found.map(({ file, code, severity, message, line, column, endLine, endColumn }) => ({
          ruleId: code,
          ruleIndex: rules.indexOf(code),
          level: levels.get(severity) ?? 'note',
          message: sarifMessage(message),
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: uriOf(file) },
                region: { startLine: line, startColumn: column, endLine, endColumn },
              },
            },
          ],
        })),
      },
    ],
  };
}

/** Relative paths stay relative: the report may be read on a machine where the repository is elsewhere. */
function uriOf(file: string): string {
  return file
    .replaceAll('\\', '/')
    .split('/')
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join('/');
}
