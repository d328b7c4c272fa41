/** `--report junit=FILE sarif=FILE`: writes each file atomically, even after a failed run. */
import { writeFile } from 'node:fs/promises';
import { Option } from 'commander';
import { repositoryOf } from '#base/files/repository-of.ts';
import { saveFile, targetPath } from '#base/files/target-file.ts';
import { jsonForTerminal } from '#base/shown-text/for-terminal.ts';
import { htmlOf } from '#core/controls/reports/html.ts';
import { jsonOfControls } from '#core/controls/reports/json.ts';
import { junitOf } from '#core/controls/reports/junit.ts';
import { markdownOf } from '#core/controls/reports/markdown.ts';
import { reportFormats, type ControlReport, type ReportFormat } from '#core/controls/reports/report.ts';
import { sarifOfControls } from '#core/controls/reports/sarif.ts';
import { CliError, type CliContext } from '../context.ts';
import { fileInReport } from '../report-files.ts';
import { requireFolder } from '../require-folder.ts';

export interface ReportTarget {
  readonly format: ReportFormat;
  readonly file: string;
}

export function reportOption(): Option {
  return new Option(
    '--report <format=file...>',
    'write a report: html=FILE, junit=FILE, sarif=FILE, markdown=FILE, json=FILE',
  )
    .argParser(collectReport)
    .default([], 'none');
}

/** @throws CliError */
function collectReport(text: string, before: readonly ReportTarget[]): readonly ReportTarget[] {
  const [, name, file] = /^([a-z]+)=(.+)$/s.exec(text) ?? [];
  const format = reportFormats.find((each) => each === name);
  if (format === undefined || file === undefined)
    throw new CliError(
      `"${text}" is not a report. Write --report junit=FILE, with one of: ${reportFormats.join(', ')}.`,
    );
  return [...before, { format, file }];
}

/** Checks the target folders before any request is sent. @throws CliError */
export async function requireReportFolders(
  { cwd }: CliContext,
  targets: readonly ReportTarget[],
): Promise<void> {
  for (const { file } of targets) await requireFolder(targetPath(cwd, file));
}

/** Writes every report that can be written. Returns what is wrong with the others. @throws AbortError */
export async function writeReports(
  { cwd, signal }: Pick<CliContext, 'cwd' | 'signal'>,
  targets: readonly ReportTarget[],
  report: ControlReport,
): Promise<readonly Error[]> {
  const root = repositoryOf(cwd);
  const failures: Error[] = [];
  for (const { format, file } of targets) {
    // Code hosts look for its files in the repository.
    const text = textOf(format, format === 'sarif' ? withFilesOf(report, { cwd, root }) : report);
    try {
      await saveFile(targetPath(cwd, file), (draft) => writeFile(draft, text, { flag: 'wx' }), { signal });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Error)) throw error;
      failures.push(error);
    }
  }
  return failures;
}

function withFilesOf(
  report: ControlReport,
  places: { readonly cwd: string; readonly root: string },
): ControlReport {
  const results = report.results.map((result) => {
    const { place } = result;
    return place.savedQueryId === undefined
      ? { ...result, place: { ...place, name: fileInReport(place.name, places) } }
      : result;
  });
  return { ...report, results };
}

function textOf(format: ReportFormat, report: ControlReport): string {
  switch (format) {
    case 'junit':
      return junitOf(report);
    case 'sarif':
      return `${jsonForTerminal(JSON.stringify(sarifOfControls(report), undefined, 2))}\n`;
    case 'markdown':
      return markdownOf(report);
    case 'html':
      return htmlOf(report);
    case 'json':
      return `${jsonForTerminal(JSON.stringify(jsonOfControls(report), undefined, 2))}\n`;
    default:
      return format satisfies never;
  }
}
